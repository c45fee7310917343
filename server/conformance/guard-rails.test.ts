import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { pathOf } from "platform-contract/endpoint";
import { fieldViolations, preconditionViolations, codeName } from "platform-contract/status";

import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { endpointOf, World, type Input, type Person, type Wire } from "./world";

const [OWNER, EDITOR, VIEWER] = [builtInRoleUid("owner"), builtInRoleUid("editor"), builtInRoleUid("viewer")];
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

let world: World;
let owner: Person;
let organization: string;
let folder: string;
let count = 0;
/** Name of the owner. */
let founder: string;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.service.stop());
beforeEach(async () => {
  count += 1;
  founder = `owner ${count}`;
  owner = await world.person(founder);
  organization = await world.create(owner, "groups", "", { name: `organization ${count}` });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
});

/** Sets a guard rail at the organization; the kind and the mode without their prefixes. */
const set = (
  kind: string,
  values: Wire = {},
  { mode = "REFUSE", parent = organization } = {},
): Promise<string> =>
  world.create(owner, "guardRails", parent, {
    kind: `GUARD_RAIL_KIND_${kind}`,
    mode: `GUARD_RAIL_MODE_${mode}`,
    ...values,
  });
const except = (uid: string, subject: string, expirationTime = inDays(1)) =>
  world.make(owner, "guardRails.update", {
    uid,
    body: { exceptions: [{ subject, expirationTime, reason: "Until the move is over" }] },
  });
const machine = (name = `bot-${(count += 1)}`, parent = organization): Promise<string> =>
  world.create(owner, "identities", parent, { name, ...world.claims(name) });
const bind = (
  identityUid: string,
  roleUid: string,
  more: Wire = {},
  parent = organization,
): Promise<Answer> =>
  world.send(owner.token, "roleBindings.create", { parent, body: { identityUid, roleUid, ...more } });
const send = (id: string, input: Input, by = owner) => world.send(by.token, id, input);

/** The name of a refusal, the guard rails that it names, and the fields. */
const refusal = (answer: Answer) =>
  answer.status === 200
    ? "done"
    : [
        codeName(answer.json.code),
        preconditionViolations(answer.json).map(({ subject }) => subject),
        fieldViolations(answer.json).map(({ field }) => field),
      ];
const refused = (uid: string, ...fields: string[]) => ["FAILED_PRECONDITION", [uid], fields];

/** The newest entry of the log of the organization. */
const newest = async (): Promise<Wire> =>
  (
    await world.make(owner, "auditEntries.list", {
      query: { "uidp.descendants_of": organization, order_by: "created_at desc", page_size: "1" },
    })
  )["auditEntries"][0];

/** Sends a call over HTTP with a reason. */
const withReason = (id: string, { parent = "", uid = "", body }: Input, reason: string): Promise<Answer> => {
  const endpoint = endpointOf(id);
  return world.service.call(endpoint.method, pathOf(endpoint, { parent, uid }), {
    token: owner.token,
    body,
    headers: { "Change-Justification": reason },
  });
};

describe("an end", () => {
  const values = { roles: [OWNER], maxDays: 30 };

  test("is required of a grant, of a change of one, and of each of a batch, in words that say so", async () => {
    const uid = await set("END_REQUIRED", values);
    const bot = await machine();
    const answer = await world.unchanged(() => bind(bot, OWNER));
    expect(refusal(answer)).toEqual(refused(uid, "expirationTime"));
    const sentence = "Grants of owner or a role that can do as much must end within 30 days";
    expect(preconditionViolations(answer.json)).toEqual([
      { type: "GUARD_RAIL", description: sentence, subject: uid },
    ]);
    expect(fieldViolations(answer.json)[0]?.description).toBe(
      `must be set, and at most 30 days from now: a guard rail says "${sentence}"`,
    );
    expect(await newest()).toMatchObject({
      outcome: "OUTCOME_REFUSED",
      action: "roleBindings.create",
      reason: "FAILED_PRECONDITION",
      guardRails: [{ guardRail: uid, sentence, effect: "GUARD_RAIL_EFFECT_REFUSED" }],
    });
    expect(refusal(await bind(bot, OWNER, { expirationTime: inDays(31) }))).toEqual(
      refused(uid, "expirationTime"),
    );
    expect(refusal(await bind(bot, VIEWER))).toBe("done");
    const made = await bind(bot, OWNER, { expirationTime: inDays(29) });
    expect(refusal(made)).toBe("done");
    const change = (body: Wire) => send("roleBindings.update", { uid: made.json["uid"] as string, body });
    expect(refusal(await change({ expirationTime: inDays(40) }))).toEqual(refused(uid, "expirationTime"));
    expect(refusal(await change({ expirationTime: "" }))).toEqual(refused(uid, "expirationTime"));
    // Less is never refused.
    expect(refusal(await change({ expirationTime: inDays(20) }))).toBe("done");
    const person = await world.person("batched");
    const item = (identityUid: string, more: Wire = {}) => ({ roleBinding: { identityUid, ...more } });
    const batch = await world.unchanged(() =>
      send("roleBindings.batchCreate", {
        body: {
          parent: folder,
          roleUid: OWNER,
          requests: [item(bot, { expirationTime: inDays(1) }), item(person.uid)],
        },
      }),
    );
    expect(refusal(batch)).toEqual(refused(uid, "requests[1].roleBinding.expirationTime"));
  });

  test("of what has none is refused: invites, also old ones, mappings and default roles", async () => {
    const invite = (roleUid: string) =>
      send("groupInvites.create", { parent: folder, body: { roleUid, ttl: "3600s" } });
    const code = (await invite(OWNER)).json["code"];
    const uid = await set("END_REQUIRED", values);
    expect(refusal(await invite(OWNER))).toEqual(refused(uid, "roleUid"));
    const guest = await world.person(`guest ${count}`);
    const redeemed = await send("groupInvites.register", { body: { code } }, guest);
    expect(refusal(redeemed)).toEqual(refused(uid));
    expect(await newest()).toMatchObject({
      action: "groupInvites.register",
      guardRails: [{ guardRail: uid, effect: "GUARD_RAIL_EFFECT_REFUSED" }],
    });
    const provider = (defaultRole: string) => ({
      parent: organization,
      body: {
        name: "Acme",
        defaultRole,
        oidc: { issuer: "https://idp.example", clientId: "c", pkceEnabled: true },
      },
    });
    expect(refusal(await send("identityProviders.create", provider(OWNER)))).toEqual(
      refused(uid, "defaultRole"),
    );
    const { uid: idp } = await world.make(owner, "identityProviders.create", provider(VIEWER));
    const map = (roleUid: string) =>
      send("externalGroupRoleMappings.create", {
        parent: idp,
        body: { externalGroupId: "g", roleUid, scope: organization },
      });
    expect(refusal(await map(OWNER))).toEqual(refused(uid, "roleUid"));
    expect(refusal(await map(VIEWER))).toBe("done");
    await except(uid, folder);
    expect((await send("groupInvites.register", { body: { code } }, guest)).status).toBe(200);
  });

  test("is required above a role: of roles that can do as much as one, or have a capability", async () => {
    const uid = await set("END_REQUIRED", {
      roles: [EDITOR],
      capabilities: ["role_bindings.create"],
      maxDays: 1,
    });
    const bot = await machine();
    const role = (capabilities: string[]) =>
      world.create(owner, "roles", organization, { name: "r", capabilities });
    expect(refusal(await bind(bot, OWNER))).toEqual(refused(uid, "expirationTime"));
    expect(refusal(await bind(bot, await role(["role_bindings.create"])))).toEqual(
      refused(uid, "expirationTime"),
    );
    expect(refusal(await bind(bot, await role(["repo.create"])))).toBe("done");
    expect((await world.make(owner, "guardRails.get", { uid }))["sentence"]).toBe(
      "Grants of editor, a role that can do as much or a role with role_bindings.create must end within 1 day",
    );
  });
});

test("a warning is written, and the log has it; a folder's guard rail counts there alone", async () => {
  const uid = await set("END_REQUIRED", { roles: [OWNER], maxDays: 1 }, { mode: "WARN", parent: folder });
  const bot = await machine();
  expect(refusal(await bind(bot, OWNER))).toBe("done");
  expect(await newest()).not.toHaveProperty("guardRails");
  expect(refusal(await bind(bot, OWNER, {}, folder))).toBe("done");
  expect(await newest()).toMatchObject({
    outcome: "OUTCOME_DONE",
    guardRails: [{ guardRail: uid, effect: "GUARD_RAIL_EFFECT_WARNED" }],
  });
});

test("an exception counts to the second of its end, for an identity or for a group and below", async () => {
  const uid = await set("END_REQUIRED", { roles: [OWNER], maxDays: 1 });
  const [bot, other] = [await machine(), await machine()];
  const end = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
  await except(uid, bot, end.toISOString());
  expect(refusal(await bind(other, OWNER))).toEqual(refused(uid, "expirationTime"));
  vi.useFakeTimers({ now: end.getTime() - 1, toFake: ["Date"] });
  try {
    expect(refusal(await bind(bot, OWNER))).toBe("done");
    vi.setSystemTime(end);
    expect(refusal(await bind(bot, OWNER, {}, folder))).toEqual(refused(uid, "expirationTime"));
    // It can stay, but not be made anew with an end that is over.
    const body = { description: "kept" };
    expect((await send("guardRails.update", { uid, body })).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
  await except(uid, folder);
  expect(refusal(await bind(other, OWNER, {}, folder))).toBe("done");
  expect(refusal(await bind(other, OWNER))).toEqual(refused(uid, "expirationTime"));
  const past = await send("guardRails.update", {
    uid,
    body: { exceptions: [{ subject: bot, expirationTime: inDays(-1), reason: " " }] },
  });
  expect(fieldViolations(past.json).map(({ field }) => field)).toEqual([
    "exceptions[0].reason",
    "exceptions[0].expirationTime",
  ]);
});

test("no owner for machines: not as a copy of the role, and not by a role that grows", async () => {
  const uid = await set("NO_MACHINES", { roles: [OWNER] });
  const bot = await machine();
  const person = await world.person("a person");
  expect(refusal(await bind(bot, OWNER))).toEqual(refused(uid, "roleUid"));
  expect(refusal(await bind(person.uid, OWNER))).toBe("done");
  const { capabilities } = await world.make(owner, "roles.get", { uid: OWNER });
  const copy = await world.create(owner, "roles", organization, { name: "copy", capabilities });
  expect(refusal(await bind(bot, copy))).toEqual(refused(uid, "roleUid"));
  const small = await world.create(owner, "roles", organization, {
    name: "small",
    capabilities: capabilities.slice(1),
  });
  const grow = () => send("roles.update", { uid: small, body: { capabilities } });
  expect(refusal(await bind(person.uid, small))).toBe("done");
  expect(refusal(await bind(bot, small, {}, folder))).toBe("done");
  expect(refusal(await world.unchanged(grow))).toEqual(refused(uid, "capabilities"));
  await except(uid, bot);
  expect(refusal(await grow())).toBe("done");
});

describe("a second person", () => {
  test("answers a request: nobody else is given the role, nobody gives it to themselves", async () => {
    const uid = await set("SECOND_PERSON", { roles: [OWNER] });
    const [asker, silent] = [await world.person(`asker ${count}`), await world.person(`silent ${count}`)];
    const answer = (who: Person, parent = folder) => bind(who.uid, OWNER, {}, parent);
    expect(refusal(await answer(silent))).toEqual(refused(uid, "roleUid"));
    expect(refusal(await bind(await machine(), OWNER))).toEqual(refused(uid, "roleUid"));
    await world.make(asker, "groups.requestGroupAccess", { uid: folder, body: {} });
    // Asked for less.
    expect(refusal(await answer(asker, organization))).toEqual(refused(uid, "roleUid"));
    expect(refusal(await answer(asker))).toBe("done");
    const { roleBindings } = await world.make(owner, "roleBindings.list", {
      query: { identity: asker.uid },
    });
    await world.make(owner, "roleBindings.delete", { uid: roleBindings[0].uid });
    // One request is one grant.
    expect(refusal(await answer(asker))).toEqual(refused(uid, "roleUid"));
    await world.make(owner, "groups.requestGroupAccess", { uid: folder, body: {} });
    expect(refusal(await answer(owner))).toEqual(refused(uid, "roleUid"));
    const invite = await send("groupInvites.create", {
      parent: folder,
      body: { roleUid: OWNER, ttl: "60s" },
    });
    expect(refusal(invite)).toEqual(refused(uid, "roleUid"));
    // Nor does a machine decide.
    await world.make(silent, "groups.requestGroupAccess", { uid: folder, body: {} });
    const decider = await machine("decider", organization);
    await except(uid, decider);
    expect(refusal(await bind(decider, OWNER))).toBe("done");
    const token = await world.machine("decider");
    const byMachine = await world.send(token, "roleBindings.create", {
      parent: folder,
      body: { identityUid: silent.uid, roleUid: OWNER },
    });
    expect(refusal(byMachine)).toEqual(refused(uid, "roleUid"));
  });

  test("is needed for a role that grows, which somebody has", async () => {
    const uid = await set("SECOND_PERSON", { capabilities: ["role_bindings.create"] });
    const role = await world.create(owner, "roles", organization, {
      name: "grows",
      capabilities: ["repo.list"],
    });
    const grow = () => send("roles.update", { uid: role, body: { capabilities: ["role_bindings.create"] } });
    expect(refusal(await bind(await machine(), role))).toBe("done");
    expect(refusal(await grow())).toEqual(refused(uid, "capabilities"));
  });
});

describe("issuers and claims", () => {
  const identity = (claimMatch: Wire): Promise<Answer> =>
    send("identities.create", { parent: folder, body: { name: `i-${(count += 1)}`, claimMatch } });

  test("are those that are allowed, in identities that are made, changed or given a role", async () => {
    const old = await machine();
    const uid = await set("ALLOWED_ISSUERS", {
      issuers: ["https://*.ci.example"],
      exactSubject: true,
      claims: ["owner_id"],
    });
    const good = { issuer: "https://a.ci.example", subject: "s", claims: { owner_id: "1" } };
    const made = await identity(good);
    expect(refusal(made)).toBe("done");
    const { subject: _, ...open } = good;
    for (const [wrong, field] of [
      [{ ...good, issuer: "https://a.ci.example.evil.example" }, "issuer"],
      [{ ...open, subjectPattern: ".*" }, "subjectPattern"],
      [{ issuer: good.issuer, subject: "s" }, "claims"],
      [{ issuerPattern: ".*", subject: "s" }, "issuerPattern"],
      [{ ...good, claims: {}, claimPatterns: { owner_id: ".*" } }, "claims"],
    ] as const)
      expect([field, refusal(await identity(wrong))]).toEqual([field, refused(uid, `claimMatch.${field}`)]);
    const change = (body: Wire) => send("identities.update", { uid: made.json["uid"] as string, body });
    expect(refusal(await change({ claimMatch: { ...good, issuer: "https://b.example" } }))).toEqual(
      refused(uid, "claimMatch.issuer"),
    );
    // An old one can be renamed, and is given nothing more.
    expect(refusal(await send("identities.update", { uid: old, body: { name: "renamed" } }))).toBe("done");
    expect(refusal(await bind(old, VIEWER))).toEqual(refused(uid, "identityUid"));
    const aws = { awsAccount: "123456789012", arn: "a", userId: "b" };
    expect(
      refusal(await send("identities.create", { parent: folder, body: { name: "aws", awsIdentity: aws } })),
    ).toEqual(refused(uid, "awsIdentity.awsAccount"));
  });
});

test.each([
  ["GROUPS", "groups", (name: string) => ({ name })],
  ["REPOS", "repos", (name: string) => ({ name })],
  ["IDENTITIES", "identities", (name: string) => ({ name, ...world.claims(`${name} ${(count += 1)}`) })],
])("names of %s are like a pattern when they are given", async (names, collection, body) => {
  const old = await world.create(owner, collection, organization, body("old"));
  const uid = await set("NAME_PATTERN", { names: `GUARD_RAIL_NAMES_${names}`, patterns: ["team-?*", "x"] });
  const make = (name: string) => send(`${collection}.create`, { parent: organization, body: body(name) });
  expect(refusal(await make("steam"))).toEqual(refused(uid, "name"));
  const made = await make("team-a");
  expect(refusal(made)).toBe("done");
  const change = (uidOf: string, fields: Wire) => send(`${collection}.update`, { uid: uidOf, body: fields });
  expect(refusal(await change(made.json["uid"] as string, { name: "other" }))).toEqual(refused(uid, "name"));
  expect(refusal(await change(old, { description: "as it is" }))).toBe("done");
  await except(uid, old);
  expect(refusal(await change(old, { name: "older" }))).toBe("done");
  const query = { guard_rail: uid };
  const { guardRailFindings } = await world.make(owner, "guardRailFindings.list", {
    parent: organization,
    query,
  });
  expect(
    (guardRailFindings as Wire[])
      .filter((one) => one["exceptionEndTime"] === undefined)
      .map(({ name }) => name),
  ).toEqual(collection === "groups" ? ["folder"] : []);
});

test("a reason is required of what gives access, and of nothing that takes it", async () => {
  const bot = await machine();
  const role = await world.create(owner, "roles", organization, { name: "r", capabilities: ["repo.list"] });
  const uid = await set("REASON_REQUIRED");
  const body = { identityUid: bot, roleUid: VIEWER };
  const answer = await bind(bot, VIEWER);
  expect(refusal(answer)).toEqual(refused(uid, "Change-Justification"));
  const made = await withReason("roleBindings.create", { parent: organization, body }, "Ticket 7");
  expect(refusal(made)).toBe("done");
  for (const [id, input] of [
    ["groupInvites.create", { parent: folder, body: { roleUid: VIEWER, ttl: "60s" } }],
    ["roles.create", { parent: folder, body: { name: "more", capabilities: ["repo.list"] } }],
    ["roles.update", { uid: role, body: { capabilities: ["repo.list", "tag.list"] } }],
    ["identities.create", { parent: folder, body: { name: "new", ...world.claims("new") } }],
    ["identities.update", { uid: bot, body: world.claims("another") }],
    [
      "roleBindings.batchCreate",
      { body: { parent: folder, roleUid: VIEWER, requests: [{ roleBinding: { identityUid: bot } }] } },
    ],
    [
      "identityProviders.create",
      {
        parent: folder,
        body: {
          name: "Acme",
          defaultRole: VIEWER,
          oidc: { issuer: "https://idp.example", clientId: "c", pkceEnabled: true },
        },
      },
    ],
  ] as const) {
    expect([id, refusal(await send(id, input))]).toEqual([id, refused(uid, "Change-Justification")]);
    expect([id, refusal(await withReason(id, input, "Ticket 8"))]).toEqual([id, "done"]);
  }
  for (const [id, input] of [
    ["identities.update", { uid: bot, body: { description: "described" } }],
    ["roles.update", { uid: role, body: { capabilities: ["repo.list"] } }],
    ["roleBindings.delete", { uid: made.json["uid"] as string }],
    ["guardRails.delete", { uid }],
  ] as const)
    expect([id, refusal(await send(id, input))]).toEqual([id, "done"]);
  expect(refusal(await bind(bot, VIEWER))).toBe("done");
});

test("guard rails refuse neither their own change nor what takes access, and go with their organization", async () => {
  const bot = await machine();
  const { uid: binding } = (await bind(bot, OWNER)).json as Wire;
  const uids = [
    await set("NO_MACHINES", { roles: [OWNER] }),
    await set("END_REQUIRED", { roles: [VIEWER], maxDays: 1 }),
    await set("SECOND_PERSON", { roles: [VIEWER] }),
    await set("ALLOWED_ISSUERS", { issuers: ["https://nobody.example"] }),
    await set("NAME_PATTERN", { names: "GUARD_RAIL_NAMES_GROUPS", patterns: ["never"] }),
    await set("REASON_REQUIRED"),
  ];
  for (const uid of uids)
    expect((await send("guardRails.update", { uid, body: { description: "changed" } })).status).toBe(200);
  expect(await newest()).toMatchObject({
    action: "guardRails.update",
    record: { kind: "guardRails", uid: uids.at(-1) },
    changes: [{ field: "description", after: '"changed"' }],
  });
  expect((await send("roleBindings.delete", { uid: binding })).status).toBe(200);
  expect((await send("identities.delete", { uid: bot })).status).toBe(200);
  expect((await send("guardRails.delete", { uid: uids[0]! })).status).toBe(200);
  expect((await send("groups.delete", { uid: folder })).status).toBe(200);
  expect((await send("groups.delete", { uid: organization })).status).toBe(200);
  const left = await world.service.database.query("select 1 from guard_rails where parent = $1", [
    organization,
  ]);
  expect(left).toEqual([]);
});

test("values belong to a kind, and roles to the organization", async () => {
  const elsewhere = await world.create(owner, "groups", "", { name: "elsewhere" });
  const theirs = await world.create(owner, "roles", elsewhere, { name: "r", capabilities: ["repo.list"] });
  const fields = async (kind: string, values: Wire) =>
    fieldViolations(
      (
        await send("guardRails.create", {
          parent: organization,
          body: { kind: `GUARD_RAIL_KIND_${kind}`, mode: "GUARD_RAIL_MODE_WARN", ...values },
        })
      ).json,
    ).map(({ field }) => field);
  expect(await fields("END_REQUIRED", { maxDays: 0 })).toEqual(["maxDays", "roles"]);
  expect(await fields("END_REQUIRED", { roles: [theirs], maxDays: 1 })).toEqual(["roles[0]"]);
  expect(await fields("REASON_REQUIRED", { roles: [OWNER] })).toEqual(["roles"]);
  expect(await fields("NO_MACHINES", { capabilities: ["no.such"] })).toEqual(["capabilities[0]"]);
  expect(await fields("ALLOWED_ISSUERS", {})).toEqual(["issuers"]);
  expect(
    await fields("NAME_PATTERN", { names: "GUARD_RAIL_NAMES_REPOS", patterns: ["*".repeat(11)] }),
  ).toEqual(["patterns[0]"]);
});

test("a sentence is at most 500 characters long, however many values there are", async () => {
  const issuers = Array.from({ length: 20 }, (_, at) => `https://${"a".repeat(200)}.example/${at}`);
  const uid = await set("ALLOWED_ISSUERS", { issuers });
  const made = await send("identities.create", { parent: folder, body: { name: "i", ...world.claims("i") } });
  const [{ description = "" } = {}] = preconditionViolations(made.json);
  expect([description.length, description.at(-1)]).toEqual([500, "\u2026"]);
  expect(await newest()).toMatchObject({ guardRails: [{ guardRail: uid, sentence: description }] });
});

test("who may list role bindings reads them; only who may change the group and give roles sets them", async () => {
  const uid = await set("REASON_REQUIRED", {}, { mode: "WARN" });
  const member = async (role: string, at: string) => {
    const person = await world.person(`${role} ${(count += 1)}`);
    await world.bind(owner, at, person.uid, role);
    return person;
  };
  const body = { kind: "GUARD_RAIL_KIND_REASON_REQUIRED", mode: "GUARD_RAIL_MODE_REFUSE" };
  for (const role of ["viewer", "editor"]) {
    const person = await member(role, organization);
    expect([role, (await send("guardRails.get", { uid }, person)).status]).toEqual([role, 200]);
    for (const [id, input] of [
      ["guardRails.create", { parent: organization, body }],
      ["guardRails.update", { uid, body }],
      ["guardRails.delete", { uid }],
    ] as const)
      expect([role, id, (await send(id, input, person)).status]).toEqual([role, id, 403]);
  }
  // Who owns a folder sets them there, and neither reads nor changes those above.
  const lower = await member("owner", folder);
  expect((await send("guardRails.create", { parent: folder, body }, lower)).status).toBe(200);
  for (const id of ["guardRails.get", "guardRails.delete"] as const)
    expect((await send(id, { uid }, lower)).status).toBe(403);
});

describe("findings", () => {
  const find = async (query: Record<string, string>, by = owner, parent = organization) => {
    const rows: Wire[] = [];
    let page: Wire = {};
    do {
      const page_token = page["nextPageToken"] as string | undefined;
      page = await world.make(by, "guardRailFindings.list", {
        parent,
        query: { ...query, page_size: "2", ...(page_token && { page_token }) },
      });
      rows.push(...((page["guardRailFindings"] ?? []) as Wire[]));
    } while (page["nextPageToken"]);
    return { rows, hidden: page["hiddenKinds"] };
  };

  test("are what breaks it today, before it is set and after, page by page, with exceptions", async () => {
    const bots = [await machine("a"), await machine("b", folder), await machine("c")];
    await bind(bots[0]!, OWNER);
    await bind(bots[1]!, OWNER, {}, folder);
    await bind(bots[2]!, OWNER, { expirationTime: inDays(90) });
    await bind(bots[2]!, OWNER, { expirationTime: inDays(9) }, folder);
    const invite = await send("groupInvites.create", {
      parent: folder,
      body: { roleUid: OWNER, ttl: "3600s", email: "ada@example.com" },
    });
    const draft = { guard_rail_kind: "GUARD_RAIL_KIND_END_REQUIRED", roles: OWNER, max_days: "30" };
    const { rows } = await find(draft);
    expect(rows.map(({ kind, name, sentence }) => `${kind} ${name}: ${sentence}`).toSorted()).toEqual([
      "groupInvites ada@example.com: This invite gives access that breaks it",
      "roleBindings a: Has no end",
      "roleBindings b: Has no end",
      `roleBindings c: Ends too late, on ${inDays(90).slice(0, 10)}`,
      `roleBindings ${founder}: Has no end`,
    ]);
    expect(rows.find(({ name }) => name === "b")).toMatchObject({
      identity: bots[1],
      group: folder,
      groupName: "folder",
      role: OWNER,
      roleName: "owner",
    });
    const uid = await set("END_REQUIRED", { roles: [OWNER], maxDays: 30 });
    const until = inDays(1);
    await except(uid, folder, until);
    const after = await find({ guard_rail: uid });
    expect(after.rows.map(({ uid: one }) => one)).toEqual(rows.map(({ uid: one }) => one));
    const ends = after.rows.filter(({ exceptionEndTime: end }) => end !== undefined);
    expect(ends.map(({ exceptionEndTime: end, name }) => [name, end])).toEqual([
      ["b", until],
      ["ada@example.com", until],
    ]);
    // Below, only what is there.
    expect((await find({ guard_rail: uid }, owner, folder)).rows).toHaveLength(2);
    // Who cannot list invites is told that there may be more.
    const reader = await world.holder(owner, `reader ${count}`, ["CAP_IAM_ROLE_BINDINGS_LIST"], organization);
    const seen = await find({ guard_rail: uid }, reader);
    expect(seen.hidden).toEqual(["groupInvites", "externalGroupRoleMappings", "identityProviders"]);
    expect(seen.rows.map(({ uid: one }) => one)).not.toContain(invite.json["uid"]);
  });

  test("are of machines, and of identities by their issuers", async () => {
    await bind(await machine("m1"), OWNER);
    const machines = await find({ guard_rail_kind: "GUARD_RAIL_KIND_NO_MACHINES", roles: VIEWER });
    expect(machines.rows.map(({ name }) => name)).toEqual(["m1"]);
    const issuers = await find({
      guard_rail_kind: "GUARD_RAIL_KIND_ALLOWED_ISSUERS",
      issuers: "https://ci.example",
    });
    expect(issuers.rows).toMatchObject([{ name: "m1", sentence: "Breaks it by its claimMatch.issuer" }]);
  });

  test("need one question with all of its values", async () => {
    const fields = async (query: Record<string, string>) => {
      const answer = await send("guardRailFindings.list", { parent: organization, query });
      return fieldViolations(answer.json).map(({ field }) => field);
    };
    expect(await fields({})).toEqual(["guard_rail"]);
    expect(await fields({ guard_rail_kind: "GUARD_RAIL_KIND_END_REQUIRED", roles: OWNER })).toEqual([
      "max_days",
    ]);
    const missing = await send("guardRailFindings.list", {
      parent: organization,
      query: { guard_rail: `${organization}/${"0".repeat(16)}` },
    });
    expect(codeName(missing.json.code)).toBe("NOT_FOUND");
  });
});

test("every statement that makes role bindings is in a file that asks for guard rails, or makes an organization", () => {
  const root = join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      !/\.(?:test|long)\.ts$|^(?:testing|conformance|bench|durability|attacks|commands|dist|node_modules)\/|migrations\//.test(
        file,
      ),
  );
  const makes = files.filter((file) =>
    /insert into role_bindings|"role_bindings", \{|name: "role_bindings"/.test(
      readFileSync(join(root, file), "utf8"),
    ),
  );
  expect(makes.toSorted()).toEqual([
    "domains/access/mapped-bindings.table.ts",
    // bindOnce, which redeem-invite.ts and eligible-grants.ts call, and the table of the standard methods of role-bindings.ts.
    "domains/access/role-bindings.table.ts",
    // The owner of a new organization, which has no guard rails.
    "domains/organization/groups.ts",
    "platform/oidc/upstream-accounts.ts",
  ]);
});
