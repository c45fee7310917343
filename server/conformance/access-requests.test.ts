import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { sweep } from "../platform/store/maintenance";
import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

const VIEWER = builtInRoleUid("viewer");

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder } = cast);
});
afterAll(() => world.service.stop());

const ask = ({ token }: Person, uid: string, message?: string): Promise<Answer> =>
  world.send(token, "groups.requestGroupAccess", { uid, body: message === undefined ? {} : { message } });
const waiting = async (by: Person): Promise<Wire[]> =>
  (await world.make(by, "accessRequests.list"))["accessRequests"] as Wire[];
const own = async (by: Person): Promise<Wire[]> =>
  (await world.make(by, "accessRequests.own"))["accessRequests"] as Wire[];
const decline = ({ token }: Person, uid: string, reason = "Ask your team lead") =>
  world.send(token, "accessRequests.decline", { uid, body: { reason } });

test("whoever can grant the access sees the request, and grants it with a role binding; both are told", async () => {
  const asker = await world.person("asker");
  expect(await ask(asker, folder, "I am new on the team")).toMatchObject({ status: 200, json: {} });
  const [request, ...others] = await waiting(owner);
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    groupUid: folder,
    groupName: "folder",
    identityUid: asker.uid,
    name: "asker",
    message: "I am new on the team",
  });
  const reader = await world.person("reader");
  await world.bind(owner, folder, reader.uid, "viewer");
  for (const blind of [reader, cast.stranger, asker]) expect(await waiting(blind)).toEqual([]);
  expect(await own(asker)).toEqual([
    { groupUid: folder, message: "I am new on the team", state: "pending", createTime: expect.any(String) },
  ]);
  await world.bind(owner, organization, asker.uid, "viewer");
  expect(await waiting(owner)).toEqual([]);
  expect(await own(asker)).toMatchObject([
    { state: "granted", decideTime: expect.any(String), byName: "owner" },
  ]);
  const query = { action: "groups.requestGroupAccess", "uidp.descendants_of": folder };
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query });
  expect(auditEntries).toMatchObject([{ actor: { uid: asker.uid }, record: { uid: folder } }]);
});

test("who asked reads until when it was granted, also once that has ended", async () => {
  const asker = await world.person("asker for a day");
  await ask(asker, folder);
  const expirationTime = new Date(Date.now() + 60_000).toISOString();
  const body = { identityUid: asker.uid, roleUid: VIEWER, expirationTime };
  await world.make(owner, "roleBindings.create", { parent: organization, body });
  expect(await own(asker)).toMatchObject([{ state: "granted", expirationTime }]);
  vi.useFakeTimers({ now: new Date(expirationTime), toFake: ["Date"] });
  try {
    await sweep(world.service.database);
    expect(await own(asker)).toMatchObject([{ state: "granted", expirationTime }]);
    expect(await waiting(owner)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  // More than a role of before gives, by a change of it.
  await ask(asker, organization);
  const { uid } = await world.make(owner, "roleBindings.create", {
    parent: organization,
    body: { identityUid: asker.uid, roleUid: VIEWER },
  });
  await world.make(owner, "roleBindings.delete", { uid });
  // The role was taken again: it is named, and by whom it was taken, but nothing says that they have it.
  expect((await own(asker))[0]).toMatchObject({
    state: "granted",
    grantedRoleName: "viewer",
    removeTime: expect.any(String),
    removedByName: "owner",
  });
  for (const field of ["expirationTime", "roleNames"])
    expect((await own(asker))[0]).not.toHaveProperty(field);
});

test("of several roles that were taken again, the request names who took the one that it names", async () => {
  const asker = await world.person("asker of two roles");
  const other = await world.person("another owner");
  await world.bind(owner, organization, other.uid, "owner");
  await ask(asker, organization);
  const give = (role: string) =>
    world.make(owner, "roleBindings.create", {
      parent: organization,
      body: { identityUid: asker.uid, roleUid: builtInRoleUid(role) },
    });
  const [first, last] = [await give("viewer"), await give("editor")];
  await world.make(owner, "roleBindings.delete", { uid: last["uid"] as string });
  await world.make(other, "roleBindings.delete", { uid: first["uid"] as string });
  expect((await own(asker))[0]).toMatchObject({ grantedRoleName: "editor", removedByName: "owner" });
});

test("who decides can give less than was asked for, in a folder; who decides only there answers nothing above", async () => {
  const asker = await world.person("asker of much");
  await ask(asker, organization, "Push to one repo");
  const local = await world.person("owner of the folder");
  await world.bind(owner, folder, local.uid, "owner");
  const { uid } = await world.bind(local, folder, asker.uid, "viewer");
  expect(await own(asker)).toMatchObject([{ state: "pending" }]);
  expect((await waiting(owner)).map(({ identityUid }) => identityUid)).toContain(asker.uid);
  await world.bind(owner, folder, asker.uid, "editor");
  expect((await waiting(owner)).map(({ identityUid }) => identityUid)).not.toContain(asker.uid);
  expect(await own(asker)).toMatchObject([
    { state: "granted", byName: "owner", grantedRoleName: "editor in folder" },
  ]);
  expect((await own(asker))[0]!["roleNames"]).toEqual(["editor in folder", "viewer in folder"]);
  await world.make(owner, "roleBindings.delete", { uid });
  expect((await own(asker))[0]!["roleNames"]).toEqual(["editor in folder"]);
});

test("a request is declined with a sentence, which the person reads, once", async () => {
  const asker = await world.person("declined");
  await ask(asker, folder);
  const { uid } = (await waiting(owner))[0]!;
  for (const reason of ["", " ", "x".repeat(501)])
    expect((await decline(owner, uid, reason)).status).toBe(400);
  expect((await decline(owner, uid)).status).toBe(200);
  // They may be a stranger: who declined isn't said.
  expect(await own(asker)).toEqual([
    {
      groupUid: folder,
      state: "declined",
      reason: "Ask your team lead",
      createTime: expect.any(String),
      decideTime: expect.any(String),
    },
  ]);
  expect([await waiting(owner), (await decline(owner, uid)).status]).toEqual([[], 404]);
});

test("a request tells nobody whether its group exists, and nobody asks often", async () => {
  const asker = await world.person("curious");
  const nowhere = `${organization}/${"0".repeat(16)}`;
  const words = async (uid: string) => {
    const { status, json } = await ask(asker, uid);
    return { status, json };
  };
  expect(await words(folder)).toEqual(await words(nowhere));
  expect((await words(folder)).status).toBe(429);
  expect(await words(folder)).toEqual(await words(nowhere));
  expect((await own(asker)).map(({ state }) => state)).toEqual(["pending", "pending"]);
  // Asking many times for different groups ends as well.
  const many = [];
  for (let index = 0; index < 25; index += 1)
    many.push((await ask(asker, `${organization}/${String(index).padStart(16, "a")}`)).status);
  expect([many[0], many[17], many[18], many.at(-1)]).toEqual([200, 200, 429, 429]);
});

test("a request gives nothing to who asks", async () => {
  const [asker, victim] = [await world.person("climber"), await world.person("victim")];
  await ask(victim, folder);
  await ask(asker, folder);
  const requests = await waiting(owner);
  const of = ({ uid }: Person): string => requests.find(({ identityUid }) => identityUid === uid)!["uid"];
  for (const uid of [of(asker), of(victim), `${folder}/${"0".repeat(16)}`])
    await cast.denied(() => decline(asker, uid));
  await cast.denied(() => decline(cast.stranger, of(victim)));
  const body = { identityUid: asker.uid, roleUid: VIEWER };
  await cast.denied(() => world.send(asker.token, "roleBindings.create", { parent: folder, body }));
  expect(await cast.opens(asker.token)).toBe(false);
});

test("more access than a role of before gives can be asked for", async () => {
  const reader = await world.person("reader who asks");
  await world.bind(owner, folder, reader.uid, "viewer");
  await ask(reader, folder);
  expect(await own(reader)).toMatchObject([{ state: "pending" }]);
  await world.bind(owner, folder, reader.uid, "editor");
  expect(await own(reader)).toMatchObject([{ state: "granted" }]);
});

test("who left an organization can be given a role again, once they ask", async () => {
  const leaver = await world.person("leaver");
  const { uid } = await world.bind(owner, folder, leaver.uid, "viewer");
  await world.make(leaver, "roleBindings.delete", { uid });
  const back = { parent: folder, body: { identityUid: leaver.uid, roleUid: VIEWER } };
  await cast.invalid("identityUid", () => world.send(owner.token, "roleBindings.create", back));
  await ask(leaver, folder);
  expect((await world.send(owner.token, "roleBindings.create", back)).status).toBe(200);
});

test("machines cannot ask, whatever token they have", async () => {
  const uid = await cast.identity(owner, folder, "bot", world.claims("bot"));
  await world.bind(owner, folder, uid, "viewer");
  const token = await world.machine("bot");
  const exchanged = await world.service.call("POST", "/sts/exchange", { token });
  for (const bearer of [token, (exchanged.json as Wire)["token"]])
    expect((await ask({ uid, token: bearer }, organization)).status).toBe(404);
});

test("an organization is found by the email that its own provider has verified, and by no other", async () => {
  const { database } = world.service;
  const verified = await world.create(cast.stranger, "groups", "", { name: "acme.example" });
  const provider = async (by: Person, parent: string) =>
    world.create(by, "identityProviders", parent, {
      name: "Sign-in",
      defaultRole: VIEWER,
      oidc: { issuer: "https://idp.example", clientId: "x", pkceEnabled: true },
    });
  const [theirs, ours] = [await provider(cast.stranger, verified), await provider(owner, organization)];
  const look = async (subject: string, at: string, email: string, isVerified = true) => {
    const person = await world.person(subject);
    await database.query(
      `insert into upstream_accounts (subject, provider, issuer, upstream_subject, email, email_verified, name,
         signed_in_at, created_at, updated_at)
       values ($1, $2, 'https://idp.example', $1, $3, $4, '', now(), now(), now())`,
      [subject, at, email, isVerified],
    );
    const { status, json } = await world.send(person.token, "groups.lookupGroup");
    const { eligible } = await world.make(person, "groups.checkEligibility");
    return { status, uid: (json as Wire)["group"]?.uid, eligible };
  };
  expect(await look("before", theirs, "a@acme.example")).toEqual({ status: 404, eligible: true });
  await database.query("update groups set verified = true where uid = $1", [verified]);
  expect(await look("member", theirs, "B@Acme.Example")).toEqual({
    status: 200,
    uid: verified,
    eligible: true,
  });
  // Any provider can claim any email.
  expect(await look("impostor", ours, "c@acme.example")).toEqual({ status: 404, eligible: true });
  expect(await look("guest", theirs, "d@else.example")).toEqual({ status: 404, eligible: true });
  expect(await look("unproven", theirs, "e@acme.example", false)).toEqual({ status: 404, eligible: false });
  const own = await world.person("without a provider");
  expect((await world.send(own.token, "groups.lookupGroup")).status).toBe(404);
  expect(await world.make(own, "groups.checkEligibility")).toEqual({ eligible: false });
});

test("an address that was confirmed here is no unverified one", async () => {
  const asker = await world.person("confirmed");
  await ask(asker, folder);
  const read = async () => (await waiting(owner)).find(({ identityUid }) => identityUid === asker.uid);
  const [{ database }, email] = [world.service, "confirmed@acme.example"];
  await database.query("update identities set email_unverified = $2 where uid = $1", [asker.uid, email]);
  expect(await read()).toMatchObject({ emailUnverified: email });
  await database.query(
    `insert into accounts (subject, email, name, password, created_at, updated_at, email_verified_at)
     select subject, email_unverified, name, '', now(), now(), now() from identities where uid = $1`,
    [asker.uid],
  );
  expect(await read()).toMatchObject({ email });
  expect(await read()).not.toHaveProperty("emailUnverified");
});
