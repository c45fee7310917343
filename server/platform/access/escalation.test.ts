import { afterAll, beforeAll, expect, test } from "vitest";

import { builtInRoleUid } from "../../domains/access/roles.table";
import { TestStore, type Input } from "../../testing/store";
import type { Caller } from "./caller";
import { requireUntil } from "./escalation";

let store: TestStore;
let uid: string;
let folder: string;
let owner: Caller;
/** Manages access in the folder, but has no registry capabilities. */
let manager: Caller;
let managing: string;
let strong: { bot: string; role: string };
const wanted = "CAP_REPO_DELETE";
const MANAGING =
  "groups.list roles.list roles.create roles.update role_bindings.list role_bindings.create role_bindings.update identity.list identity.create identity.update identity.delete";

beforeAll(async () => {
  store = await TestStore.open({ TRUSTED_ISSUERS: "https://ci.example" });
  ({ uid, owner } = await store.organization("escalation"));
  const made = async (id: string, parent: string, body: Input["body"]) =>
    (await store.call(owner, id, { parent, body: body ?? {} }))["uid"] as string;
  folder = await made("groups.create", uid, { name: "folder" });
  managing = await made("roles.create", uid, { name: "managing", capabilities: MANAGING.split(" ") });
  manager = await store.member("manager", managing, [folder], owner);
  const role = await made("roles.create", folder, { name: "strong", capabilities: [wanted, "groups.list"] });
  const claimMatch = { issuer: "https://ci.example", subject: "strong" };
  const bot = await made("identities.create", folder, { name: "strong bot", claimMatch });
  await made("roleBindings.create", folder, { identityUid: bot, roleUid: role });
  strong = { bot, role };
});
afterAll(() => store.database.close());

/** Expects a refusal that names the missing capability. */
async function fails(id: string, input: Input, at = folder, caller = manager): Promise<void> {
  const { name, message } = await store.refusal(caller, id, input);
  expect(name).toBe("PERMISSION_DENIED");
  expect(message).toContain(wanted);
  expect(message).toContain(`at ${at}`);
}

test("a role with a capability that its maker lacks", async () => {
  await fails("roles.create", {
    parent: folder,
    body: { name: "r", capabilities: ["groups.list", "repo.delete"] },
  });
});

test("a capability added to a role, with a mask, without one, and by a star", async () => {
  const body = { name: "weak", capabilities: ["groups.list"] };
  const role = (await store.call(manager, "roles.create", { parent: folder, body }))["uid"];
  const more = { name: "weak", capabilities: ["groups.list", wanted] };
  for (const updateMask of [undefined, "capabilities", "*"])
    await fails("roles.update", { uid: role, query: { updateMask }, body: more });
  // Existing capabilities can stay, and can be removed.
  await store.call(manager, "roles.update", { uid: strong.role, body: { description: "renamed" } });
  await store.call(manager, "roles.update", { uid: role, body: { capabilities: ["roles.list"] } });
});

test("a stronger role bound to oneself or to others", async () => {
  const [own] = manager.identities;
  for (const identityUid of [own, strong.bot])
    for (const roleUid of [strong.role, builtInRoleUid("owner")])
      await fails("roleBindings.create", { parent: folder, body: { identityUid, roleUid } });
});

test("a binding whose role is exchanged for a stronger one", async () => {
  const body = { identityUid: manager.identities[0], roleUid: managing };
  const own = await store.call(manager, "roleBindings.list", { query: { identity: body.identityUid } });
  const { uid: binding } = own["roleBindings"][0];
  await fails("roleBindings.update", { uid: binding, body: { roleUid: strong.role } });
});

test("a stronger binding moved to oneself", async () => {
  const { roleBindings } = await store.call(manager, "roleBindings.list", {
    query: { identity: strong.bot },
  });
  const { uid: binding } = roleBindings[0];
  await fails("roleBindings.update", { uid: binding, body: { identityUid: manager.identities[0] } });
  await store.call(manager, "roleBindings.update", { uid: binding, body: roleBindings[0] });
});

test("an identity with more rights made to be recognised by other tokens", async () => {
  const update = (body: Input["body"], updateMask?: string): Input => ({
    uid: strong.bot,
    body: body!,
    query: { updateMask },
  });
  await fails("identities.update", update({ claimMatch: { subject: "mine" } }));
  await fails("identities.update", update({ claimMatch: { subjectPattern: ".*" } }));
  await fails(
    "identities.update",
    update({ claimMatch: { issuerPattern: ".*" } }, "claim_match.issuer_pattern"),
  );
  await fails("identities.update", update({ claimMatch: { audience: "mine" } }));
  const principal = { servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" };
  await fails("identities.update", update({ name: "strong bot", ...principal }, "*"));
  await fails("identities.update", update(principal));
  await store.call(manager, "identities.update", update({ name: "renamed bot" }));
});

test("rights held in the folder do not reach the organization", async () => {
  for (const parent of [uid, `${uid}/${"0".repeat(16)}`]) {
    const body = { identityUid: manager.identities[0], roleUid: managing };
    expect((await store.refusal(manager, "roleBindings.create", { parent, body })).message).toBe(
      `Permission denied: requires CAP_IAM_ROLE_BINDINGS_CREATE at ${parent}`,
    );
  }
});

test("an identity of a folder bound above it holds nothing there, and passes nothing on", async () => {
  const claimMatch = { issuer: "https://ci.example", subject: "low" };
  const low = (
    await store.call(manager, "identities.create", { parent: folder, body: { name: "low", claimMatch } })
  )["uid"];
  const roleUid = builtInRoleUid("owner");
  await store.call(owner, "roleBindings.create", { parent: uid, body: { identityUid: low, roleUid } });
  expect((await store.caller("low", [low])).grants).toEqual([]);
  // It grants nothing, so the folder's manager can still change how the identity is recognized.
  await store.call(manager, "identities.update", { uid: low, body: { claimMatch: { subject: "lower" } } });
  await store.call(owner, "roleBindings.create", { parent: folder, body: { identityUid: low, roleUid } });
  await fails("identities.update", { uid: low, body: { claimMatch: { subject: "lowest" } } });
});

test("how long somebody has many capabilities by many bindings is no product of bindings", () => {
  let looks = 0;
  class Counted extends Set<string> {
    override has(name: string): boolean {
      looks += 1;
      return super.has(name);
    }
  }
  const names = Array.from({ length: 50 }, (_, index) => `CAP_${index}`);
  const end = Date.parse("2099-01-01T00:00:00Z");
  const grants = Array.from({ length: 600 }, (_, index) => ({
    group: uid,
    role: `role-${index}`,
    capabilities: new Counted(index === 300 ? names : names.slice(0, 1)),
    until: end + index * 1_000,
  }));
  expect(() => requireUntil({ ...owner, grants }, names, uid)).toThrow("ends at 2099-01-01T00:05:00.000Z");
  expect(looks).toBeLessThan(4 * grants.length * names.length);
});
