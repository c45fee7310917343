import { expect, it } from "vitest";

import { kinds as registry } from "platform-contract/kinds";

import { planCopy, type CopiedRow } from "./plan";

const ORGANIZATION = "a".repeat(40);
const id = (text: string): string => text.padEnd(16, "0");
const ABOVE = `${ORGANIZATION}/${id("a")}`;
const TEAM = `${ABOVE}/${id("1")}`;
const INNER = `${TEAM}/${id("2")}`;
const DEEP = `${INNER}/${id("3")}`;
const PLACE = `${ORGANIZATION}/${id("b")}`;
const VIEWER = "b".repeat(40);
const ADA = "c".repeat(40);
const NOW = Date.parse("2026-11-28T12:00:00Z");

const CI: CopiedRow = { uid: `${TEAM}/${id("4")}`, name: "ci" };
const PUSHER: CopiedRow = { uid: `${TEAM}/${id("5")}`, name: "pusher", capabilities: ["CAP_REPO_CREATE"] };
const binding = (key: string, identityUid: string, roleUid: string, more: object = {}): CopiedRow => ({
  uid: `${DEEP}/${id(key)}`,
  identityUid,
  roleUid,
  identity: { name: `of ${key}` },
  role: { name: "role" },
  ...more,
});
const SOURCE: CopiedRow = { uid: `${TEAM}/${id("9")}`, name: "source" };
const COPY = {
  uid: `${DEEP}/${id("8")}`,
  name: "copy",
  catalogTier: "CATALOG_TIER_BASE",
  sync_config: { source: SOURCE.uid, google: "g", expirationTime: "2026-12-01T00:00:00Z" },
};

type Rows = Readonly<Record<string, readonly CopiedRow[]>>;
const rows: Rows = {
  groups: [
    { uid: DEEP, name: "deep" },
    { uid: INNER, name: "inner" },
  ],
  identities: [CI],
  roles: [PUSHER],
  roleBindings: [
    binding("6", CI.uid, PUSHER.uid, { expirationTime: "2027-01-01T00:00:00Z" }),
    binding("7", ADA, VIEWER),
  ],
  repos: [COPY, SOURCE],
};

const plan = (of: Rows = {}, more: Partial<Parameters<typeof planCopy>[0]> = {}) =>
  planCopy({
    folder: { uid: TEAM, name: "team", description: "Ours", verified: true, kind: "ORG_KIND_CUSTOMER" },
    to: PLACE,
    place: "platform",
    contents: { rows: { ...rows, ...of }, companions: [] },
    roles: [],
    unread: () => undefined,
    refusal: () => undefined,
    held: undefined,
    oneName: false,
    now: NOW,
    ...more,
  });
const names = ({ steps }: ReturnType<typeof plan>) => steps.map(({ name }) => name);
const left = (made: ReturnType<typeof plan>) => made.left.map(({ what, why }) => `${what}: ${why}`);

it("creates what others refer to before them: folders topmost first, sources before what syncs from them", () => {
  const made = plan();
  expect(names(made)).toEqual([
    "team",
    "inner",
    "deep",
    "ci",
    "pusher",
    "of 6, role",
    "of 7, role",
    "source",
    "copy",
  ]);
  expect(made.left).toEqual([]);
  expect(made.steps.slice(0, 2)).toMatchObject([
    { parent: PLACE, where: "platform", body: { name: "team", description: "Ours" } },
    { parent: TEAM, where: "team" },
  ]);
});

it("takes of each record what a caller sets, with its references, and no field that others set", () => {
  const body = (name: string) => plan().steps.find((step) => step.name === name)?.body;
  expect(body("team")).toEqual({ name: "team", description: "Ours" });
  expect(body("of 6, role")).toEqual({
    identityUid: CI.uid,
    roleUid: PUSHER.uid,
    expirationTime: "2027-01-01T00:00:00Z",
  });
  expect(body("copy")).toEqual({ name: "copy", sync_config: { source: SOURCE.uid, google: "g" } });
  expect(
    plan()
      .steps.filter(({ readme }) => readme)
      .map(({ name }) => name),
  ).toEqual(["source"]);
});

it("leaves out bindings that have ended, or that would mean nothing in the new place, and says why", () => {
  const elsewhere = {
    role: `${ABOVE}/${id("c")}`,
    bot: `${ABOVE}/${id("d")}`,
    shared: `${ORGANIZATION}/${id("e")}`,
  };
  const made = plan({
    roleBindings: [
      binding("1", CI.uid, VIEWER, { expirationTime: "2026-11-28T11:59:59Z" }),
      binding("2", elsewhere.bot, VIEWER),
      binding("3", ADA, elsewhere.role),
      binding("4", elsewhere.shared, elsewhere.shared),
      binding("5", "", VIEWER),
    ],
  });
  expect(names(made)).toContain("of 4, role");
  expect(left(made)).toEqual([
    "1 role binding: Already ended.",
    expect.stringMatching(/^1 role binding: Of identities in a folder that doesn't contain platform/),
    expect.stringMatching(/^1 role binding: Of roles in a folder that doesn't contain platform/),
    expect.stringMatching(/^1 role binding: The API doesn't say/),
  ]);
});

it("leaves out identities whose keys have expired, and what refers to them", () => {
  const expired = { ...CI, staticKeys: { expirationTime: "2026-11-01T00:00:00Z" } };
  expect(left(plan({ identities: [expired] }))).toEqual([
    "1 identity: With keys that have expired. Create with new keys.",
    "1 role binding: Of an identity or role that isn't copied.",
  ]);
});

it("says before the start what the caller can't create there, and leaves out what depends on it", () => {
  const refusal: Parameters<typeof planCopy>[0]["refusal"] = ({ access }) => {
    const needs: readonly string[] = access.needs;
    if (needs.includes("CAP_IAM_ROLES_CREATE"))
      return "You need permission to create roles (roles.create) here";
    if (needs.includes("CAP_REPO_UPDATE")) return "You need permission to edit repos (repo.update) here";
    return undefined;
  };
  expect(left(plan({}, { refusal }))).toEqual([
    "1 role: You need permission to create roles (roles.create) in platform.",
    "1 role binding: Of an identity or role that isn't copied.",
    "Readmes of 2 repos: You need permission to edit repos (repo.update) in platform.",
  ]);
  const held = new Set(["CAP_REPO_LIST"]);
  const roles = [{ uid: VIEWER, name: "viewer", capabilities: ["CAP_TAG_LIST"] }];
  expect(left(plan({}, { held, roles }))).toEqual([
    "1 role: With permissions that you don't have in platform.",
    "1 role binding: Of an identity or role that isn't copied.",
    "1 role binding: Of roles with permissions that you don't have in platform.",
  ]);
});

it("calls unknown what the caller can't list, and what is in a folder that it can't list", () => {
  const unread = ({ collection }: { collection: string }) =>
    collection === "groups" ? "You need permission to view groups" : undefined;
  const made = plan({ groups: [] }, { unread });
  expect(names(made)).toEqual(["team", "ci", "pusher", "source"]);
  expect(left(made)).toEqual([
    "2 role bindings: In a folder that isn't copied.",
    "1 repo: In a folder that isn't copied.",
    "Folders: unknown: You need permission to view groups. If there are any, they aren't copied.",
  ]);
});

it("leaves out every kind that can't be made again, counted, with what to do", () => {
  const others = registry.filter(({ collection }) => !(collection in rows) && collection !== "subscriptions");
  const found = Object.fromEntries(
    others.map(({ collection }) => [collection, [{ uid: `${TEAM}/${id("f")}`, name: "x" }]]),
  );
  const made = plan(found);
  expect(made.left.map(({ what }) => what)).toEqual(others.map(({ noun }) => `1 ${noun}`));
  expect(left(made).filter((each) => each.includes("Unknown to"))).toEqual([]);
});

it("says that repos wait where a registry has each name once in an organization", () => {
  expect(left(plan({}, { oneName: true }))).toEqual([expect.stringMatching(/^2 repos: In the registry/)]);
  const away = plan({}, { oneName: true, to: "d".repeat(40) });
  expect(names(away)).toContain("copy");
  expect(away.differs.join(" ")).toContain("begin with the organization (2 repos)");
  expect(plan().differs.join(" ")).toContain(
    "so it stays the same: until the old repo is deleted, two repos have the same address (2 repos)",
  );
});
