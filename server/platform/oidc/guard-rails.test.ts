import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Wire } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { ADA, Federation } from "../../testing/federation";
import { openDirectory, patchOf, userBody } from "../../testing/scim";

const EDITOR = builtInRoleUid("editor");
const VIEWER = builtInRoleUid("viewer");
const SENTENCE = "Grants of editor or a role that can do as much must end within 30 days";

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());
beforeEach(() => {
  federation.issuer.person = ADA;
});

/** Sets that grants of a role must end, at the organization or its folder. */
const set = (role: string, mode = "REFUSE", parent = federation.organization): Promise<string> =>
  federation.world.create(federation.owner, "guardRails", parent, {
    kind: "GUARD_RAIL_KIND_END_REQUIRED",
    mode: `GUARD_RAIL_MODE_${mode}`,
    roles: [role],
    maxDays: 30,
  });
const remove = (uid: string) => federation.world.make(federation.owner, "guardRails.delete", { uid });

const newest = async (action: string): Promise<Wire> =>
  (
    await federation.world.make(federation.owner, "auditEntries.list", {
      query: { action, order_by: "created_at desc", page_size: "1" },
    })
  )["auditEntries"][0];

test("a sign-in succeeds without the mapped role that a guard rail excludes, and the log says so", async () => {
  const provider = await federation.makeProvider();
  await federation.map("engineers", EDITOR, provider);
  await federation.map("auditors", VIEWER, provider);
  const uid = await set(EDITOR);
  federation.issuer.person = { ...ADA, sub: "mapped", groups: ["engineers", "auditors"] };
  const { identity } = await federation.signedIn(provider);
  expect(await federation.held(identity)).toEqual(["viewer at acme", "viewer at folder"]);
  const entry = await newest("signIn.provider");
  expect(entry).toMatchObject({
    outcome: "OUTCOME_DONE",
    guardRails: [
      { guardRail: uid, sentence: SENTENCE, effect: "GUARD_RAIL_EFFECT_LEFT_OUT", identity, role: EDITOR },
    ],
  });
  expect((entry["changes"] as Wire[]).find(({ field }) => field === "groups")?.["after"]).toBe(
    '["auditors"]',
  );
  // A dry run names the mapping.
  const { guardRailFindings } = await federation.world.make(federation.owner, "guardRailFindings.list", {
    parent: federation.organization,
    query: { guard_rail: uid },
  });
  expect(
    (guardRailFindings as Wire[]).filter(({ kind }) => kind === "externalGroupRoleMappings"),
  ).toMatchObject([{ name: "engineers", roleName: "editor" }]);
  // Excepted, they get it with their next sign-in, and keep it when the exception is over.
  const exception = {
    subject: identity,
    expirationTime: new Date(Date.now() + 3_600_000).toISOString(),
    reason: "On call",
  };
  const except = (exceptions: unknown[]) =>
    federation.world.make(federation.owner, "guardRails.update", { uid, body: { exceptions } });
  await except([exception]);
  await federation.signedIn(provider);
  expect(await federation.held(identity)).toContain("editor at acme");
  await except([]);
  await federation.signedIn(provider);
  expect(await federation.held(identity)).toContain("editor at acme");
  expect(await newest("signIn.provider")).not.toHaveProperty("guardRails");
  await remove(uid);
});

test("the default role of a first sign-in is left out, or given with a warning", async () => {
  const refusing = await set(VIEWER, "REFUSE", federation.folder);
  federation.issuer.person = { ...ADA, sub: "left out" };
  const { identity } = await federation.signedIn();
  expect(await federation.held(identity)).toEqual([]);
  const entry = await newest("signIn.provider");
  expect(entry).toMatchObject({ guardRails: [{ guardRail: refusing, role: VIEWER }] });
  expect(((entry["changes"] ?? []) as Wire[]).map(({ field }) => field)).not.toContain("defaultRole");
  await remove(refusing);
  const warning = await set(VIEWER, "WARN", federation.folder);
  federation.issuer.person = { ...ADA, sub: "warned" };
  const warned = await federation.signedIn();
  expect(await federation.held(warned.identity)).toEqual(["viewer at folder"]);
  expect(await newest("signIn.provider")).toMatchObject({
    guardRails: [{ guardRail: warning, effect: "GUARD_RAIL_EFFECT_WARNED" }],
  });
  await remove(warning);
});

test("a directory's push is taken without the roles that a guard rail excludes", async () => {
  const provider = await federation.makeProvider();
  await federation.map("pushed", EDITOR, provider);
  const directory = await openDirectory(federation.world, federation.owner, provider);
  const { id } = await directory.make("POST", "/Users", userBody("grace"));
  const uid = await set(EDITOR);
  const group = await directory.make("POST", "/Groups", { displayName: "pushed", members: [{ value: id }] });
  const entry = await newest("scim.groups.create");
  const [broken] = entry["guardRails"] as Wire[];
  expect(broken).toMatchObject({ guardRail: uid, effect: "GUARD_RAIL_EFFECT_LEFT_OUT", role: EDITOR });
  expect(await federation.held(broken?.["identity"] as string)).toEqual([]);
  await remove(uid);
  await directory.make("PATCH", `/Groups/${group["id"]}`, patchOf({ op: "remove", path: "members" }));
  await directory.make(
    "PATCH",
    `/Groups/${group["id"]}`,
    patchOf({ op: "add", path: "members", value: [{ value: id }] }),
  );
  expect(await federation.held(broken?.["identity"] as string)).toEqual(["editor at acme"]);
});
