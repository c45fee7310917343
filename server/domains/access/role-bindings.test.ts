import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { builtInRoleUid } from "./roles.table";
import { callerWith } from "../../testing/app";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let folder: string;
let owner: Caller;
const viewer = builtInRoleUid("viewer");
const editor = builtInRoleUid("editor");

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid, owner } = await store.organization("bindings"));
  folder = (await store.call(owner, "groups.create", { parent: uid, body: { name: "folder" } }))["uid"];
});
afterAll(() => store.database.close());

const bot = async (parent: string, subject: string, by = owner): Promise<string> => {
  const claimMatch = { issuer: "https://ci.example", subject };
  return (
    await store.call(by, "identities.create", { parent, body: { name: "bot", description: "d", claimMatch } })
  )["uid"];
};

test("an answer is hydrated, and what it repeats is not read back", async () => {
  const identityUid = await bot(folder, "one");
  const made = await store.call(owner, "roleBindings.create", {
    parent: folder,
    body: { identityUid, roleUid: viewer },
  });
  expect(made).toEqual({
    uid: expect.stringMatching(new RegExp(`^${folder}/[0-9a-f]{16}$`)),
    identityUid,
    roleUid: viewer,
    identity: {
      uid: identityUid,
      name: "bot",
      description: "d",
      subject: "one",
      issuer: "https://ci.example",
    },
    group: { uid: folder, name: "folder" },
    role: { uid: viewer, name: "viewer", description: "Viewer Role (built-in)" },
    createTime: expect.any(String),
    updateTime: expect.any(String),
  });
  const body = { ...made, roleUid: editor, identity: { name: "other" }, role: { uid: "x" } };
  const saved = await store.call(owner, "roleBindings.update", { uid: made["uid"], body });
  expect(saved).toMatchObject({ roleUid: editor, role: { name: "editor" }, identity: { name: "bot" } });
  expect(await store.call(owner, "roleBindings.get", { uid: made["uid"] })).toEqual(saved);
});

test("what may not be bound is refused in the same words whether or not it exists", async () => {
  const { uid: elsewhere, owner: other } = await store.organization("not here");
  const theirs = await bot(elsewhere, "theirs", other);
  const capabilities = ["groups.list"];
  const role = async (parent: string, by: Caller) =>
    (await store.call(by, "roles.create", { parent, body: { name: "r", capabilities } }))["uid"];
  const refused = async (identityUid: unknown, roleUid: unknown, parent = folder) =>
    (await store.refusal(owner, "roleBindings.create", { parent, body: { identityUid, roleUid } }))
      .violations;

  const both = await refused(theirs, await role(elsewhere, other));
  expect(both.map(({ field }) => field)).toEqual(["identityUid", "roleUid"]);
  const nowhere = "0".repeat(16);
  expect(await refused(`${elsewhere}/${nowhere}`, `${elsewhere}/${nowhere}`)).toEqual(both);
  expect(await refused("0".repeat(40), "0".repeat(40))).toEqual(both);
  expect(await refused(uid, uid)).toEqual(both);
  expect(await refused(undefined, "me")).toEqual([
    { field: "identityUid", description: "must be the uid of an identity" },
    { field: "roleUid", description: "must be the uid of a role" },
  ]);
  // A folder's role cannot be used above it.
  const low = await role(folder, owner);
  expect((await refused(owner.identities[0], low, uid)).map(({ field }) => field)).toEqual(["roleUid"]);
  expect(await refused(owner.identities[0], low, uid)).toEqual(both.slice(1));
});

test("the same binding twice is one too many", async () => {
  const body = { identityUid: await bot(folder, "twice"), roleUid: viewer };
  const { uid: first } = await store.call(owner, "roleBindings.create", { parent: folder, body });
  expect(await store.refusal(owner, "roleBindings.create", { parent: folder, body })).toMatchObject({
    name: "ALREADY_EXISTS",
    violations: [{ field: "roleUid", description: "this identity already has this role in this group" }],
    resource: { resourceName: first },
  });
  const other = await store.call(owner, "roleBindings.create", {
    parent: folder,
    body: { ...body, roleUid: editor },
  });
  const update = { uid: other["uid"], body: { roleUid: viewer } };
  expect((await store.refusal(owner, "roleBindings.update", update)).name).toBe("ALREADY_EXISTS");
  expect(await store.call(owner, "roleBindings.get", { uid: other["uid"] })).toEqual(other);
});

test("one may remove one's own binding, and an identity's bindings go with it", async () => {
  const member = await store.member("own", "owner", [folder], owner);
  const { roleBindings } = await store.call(member, "roleBindings.list", {
    query: { identity: member.identities[0] },
  });
  await store.call(member, "roleBindings.delete", { uid: roleBindings[0].uid });
  expect((await store.person("own")).grants).toEqual([]);

  const identityUid = await bot(folder, "leaving");
  await store.call(owner, "roleBindings.create", { parent: folder, body: { identityUid, roleUid: viewer } });
  await store.call(owner, "identities.delete", { uid: identityUid });
  const left = await store.call(owner, "roleBindings.list", { query: { identity: identityUid } });
  expect(left["totalCount"]).toBe("0");
});

test("everybody may delete their own bindings, and without the capability nobody else's", async () => {
  const bindings = async (caller: Caller) =>
    (await store.call(owner, "roleBindings.list", { query: { identity: caller.identities[0] } }))[
      "roleBindings"
    ].map((binding: { uid: string }) => binding.uid) as string[];
  const leaving = await store.member("leaving", "viewer", [folder], owner);
  const staying = await store.member("staying", "viewer", [folder], owner);
  const [own = ""] = await bindings(leaving);
  const [theirs = ""] = await bindings(staying);
  const refused = await store.refusal(leaving, "roleBindings.delete", { uid: theirs });
  const nowhere = `${folder}/${"0".repeat(16)}`;
  expect(refused.name).toBe("PERMISSION_DENIED");
  const absent = await store.refusal(leaving, "roleBindings.delete", { uid: nowhere });
  expect(absent.message).toBe(refused.message.replace(theirs, nowhere));
  await store.call(leaving, "roleBindings.delete", { uid: own });
  expect(await bindings(leaving)).toEqual([]);
  expect(await bindings(staying)).toEqual([theirs]);
  // A deleted binding belongs to no one.
  expect((await store.refusal(leaving, "roleBindings.delete", { uid: own })).name).toBe("PERMISSION_DENIED");
});

test("who has left an organization is bound there no more, until they accept an invite", async () => {
  const body = (caller: Caller) => ({ identityUid: caller.identities[0], roleUid: viewer });
  const bind = (caller: Caller, by = owner, parent = folder) =>
    store.call(by, "roleBindings.create", { parent, body: body(caller) });
  const refused = async (caller: Caller, parent = folder) =>
    (await store.refusal(owner, "roleBindings.create", { parent, body: body(caller) })).violations;
  const bound = await store.person("bound");
  const unbind = async ({ uid: binding }: Record<string, unknown>, by = bound) =>
    store.call(await store.person(by.subject), "roleBindings.delete", { uid: String(binding) });

  const [first, second] = [await bind(bound), await bind(bound, owner, uid)];
  // Still a member.
  await unbind(first);
  const again = await bind(bound);
  // What others remove, they can grant again.
  await unbind(again, owner);
  await unbind(await bind(bound));
  await unbind(second);
  const left = [
    { field: "identityUid", description: "this person has left the organization and can only be invited" },
  ];
  expect(await refused(bound)).toEqual(left);
  expect(await refused(bound, uid)).toEqual(left);
  const other = await store.person("other");
  const { uid: theirs } = await bind(other);
  const moved = { uid: theirs, body: { identityUid: bound.identities[0] } };
  expect((await store.refusal(owner, "roleBindings.update", moved)).violations).toEqual(left);

  const { uid: elsewhere, owner: stranger } = await store.organization("elsewhere");
  await bind(bound, stranger, elsewhere);
  const invite = { parent: folder, body: { roleUid: viewer, ttl: "3600s" } };
  const { code } = await store.call(owner, "groupInvites.create", invite);
  await store.call(bound, "groupInvites.register", { body: { code } });
  await bind(bound, owner, uid);
});

test("only an organization that automation is at home in binds it", async () => {
  const [automation = ""] = (await store.person("automation")).identities;
  const bind = { parent: folder, body: { identityUid: automation, roleUid: viewer } };
  expect((await store.refusal(owner, "roleBindings.create", bind)).violations).toEqual([
    { field: "identityUid", description: "must be a person or an identity of this organization" },
  ]);
  const { uid: home, owner: client } = await store.organization("home", "automation");
  await store.call(client, "roleBindings.create", { ...bind, parent: home });
  expect((await store.refusal(owner, "roleBindings.create", bind)).name).toBe("INVALID_ARGUMENT");
});

describe("a batch", () => {
  const batch = (body: Record<string, unknown>) => store.call(owner, "roleBindings.batchCreate", { body });
  const refusal = (body: Record<string, unknown>) =>
    store.refusal(owner, "roleBindings.batchCreate", { body });
  const count = async () =>
    (await store.call(owner, "roleBindings.list", { query: { "uidp.descendants_of": folder } }))[
      "totalCount"
    ];
  const item = (identityUid: string, more: object = {}) => ({ roleBinding: { identityUid, ...more } });

  test("is answered in the order of the request; its role serves items without one", async () => {
    const [a, b] = [await bot(folder, "batch a"), await bot(folder, "batch b")];
    const { roleBindings } = await batch({
      parent: folder,
      requests: [item(b, { roleUid: viewer }), { parent: folder, ...item(a, { roleUid: "" }) }],
      roleUid: viewer,
    });
    expect(roleBindings).toMatchObject([
      { identityUid: b, role: { name: "viewer" }, group: { uid: folder } },
      { identityUid: a, role: { name: "viewer" } },
    ]);
  });

  test("is made whole or not at all; one answer names what is wrong with each item", async () => {
    const good = await bot(folder, "batch good");
    const before = await count();
    const wrong = await refusal({
      parent: folder,
      requests: [
        item(good),
        item("f".repeat(40)),
        { parent: uid, ...item(good, { roleUid: editor }) },
        item(good),
        item(await bot(folder, "batch role"), { roleUid: `${uid}/${"f".repeat(16)}` }),
      ],
      roleUid: viewer,
    });
    expect(wrong.violations.map(({ field }) => field)).toEqual([
      "requests[1].roleBinding.identityUid",
      "requests[2].parent",
      "requests[2].roleBinding.roleUid",
      "requests[3].roleBinding.identityUid",
      "requests[4].roleBinding.roleUid",
    ]);
    const taken = await bot(folder, "batch taken");
    await batch({ parent: folder, requests: [item(taken)], roleUid: viewer });
    const again = await refusal({ parent: folder, requests: [item(good), item(taken)], roleUid: viewer });
    expect(again.name).toBe("ALREADY_EXISTS");
    expect(again.violations.map(({ field }) => field)).toEqual(["requests[1].roleBinding.roleUid"]);
    expect(again.resource).toMatchObject({ resourceName: expect.stringMatching(`^${folder}/`) });
    expect(await count()).toBe(String(Number(before) + 1));
  });

  test("holds 1 to 25, and nothing that its caller lacks", async () => {
    const requests = Array.from({ length: 26 }, () => item("f".repeat(40)));
    for (const body of [{ parent: folder, requests }, { parent: folder, requests: [] }, { parent: folder }])
      expect((await refusal(body)).violations.map(({ field }) => field)).toEqual(["requests"]);
    const member = callerWith(["CAP_IAM_ROLE_BINDINGS_CREATE"], [folder]);
    const one = { parent: folder, requests: [item(await bot(folder, "batch one"))], roleUid: editor };
    const denied = await store.refusal(member, "roleBindings.batchCreate", { body: one });
    expect(denied.name).toBe("PERMISSION_DENIED");
  });
});
