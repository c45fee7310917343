import { expect, it } from "vitest";

import type { Kind } from "platform-contract/kind";
import { kinds as registry } from "platform-contract/kinds";

import { planTeardown, type TeardownRow, type RowsByKind } from "./plan";

const ORGANIZATION = "a".repeat(40);
const id = (text: string): string => text.padEnd(16, "0");
const TEAM = `${ORGANIZATION}/${id("1")}`;
const INNER = `${TEAM}/${id("2")}`;
const DEEP = `${INNER}/${id("3")}`;
const ABOVE = new Map([[ORGANIZATION, "acme"]]);
const allowed = () => undefined;

const rows: RowsByKind = {
  groups: [
    { uid: INNER, name: "inner" },
    { uid: DEEP, name: "deep" },
  ],
  identities: [{ uid: `${TEAM}/${id("4")}`, name: "ci" }],
  roles: [{ uid: `${TEAM}/${id("5")}`, name: "pusher" }],
  roleBindings: [
    {
      uid: `${DEEP}/${id("6")}`,
      identity: { uid: `${TEAM}/${id("4")}`, name: "ci" },
      role: { uid: `${TEAM}/${id("5")}`, name: "pusher" },
    },
    {
      uid: `${INNER}/${id("7")}`,
      identity: { email: "me@acme.example" },
      role: { name: "pusher" },
      roleUid: `${TEAM}/${id("5")}`,
    },
  ],
  repos: [{ uid: `${DEEP}/${id("8")}`, name: "nginx" }],
};
const mine = new Set([`${INNER}/${id("7")}`]);

const plan = (more: Partial<Parameters<typeof planTeardown>[0]> = {}) =>
  planTeardown({
    groups: [{ uid: TEAM, name: "team" }],
    rows,
    own: new Set(),
    above: ABOVE,
    refusal: allowed,
    ...more,
  });
const namesOf = ({ steps }: ReturnType<typeof plan>): string[] => steps.map(({ name }) => name);

it("deletes what refers to others before them, then the groups, the deepest first", () => {
  const made = plan();
  expect(namesOf(made)).toEqual([
    "nginx",
    "ci, pusher",
    "me@acme.example, pusher",
    "pusher",
    "ci",
    "deep",
    "inner",
    "team",
  ]);
  expect(made.counts.map(([{ collection }, count]) => [collection, count])).toEqual([
    ["repos", 1],
    ["roleBindings", 2],
    ["roles", 1],
    ["identities", 1],
    ["groups", 2],
  ]);
  expect(made.steps.at(-1)?.where).toBe("acme");
  expect(made.steps[0]).toMatchObject({ where: "deep", own: false, refused: undefined });
});

it("keeps the caller's own binding until its group's turn, and the role that it gives until that is gone", () => {
  expect(namesOf(plan({ own: mine }))).toEqual([
    "nginx",
    "ci, pusher",
    "ci",
    "deep",
    "me@acme.example, pusher",
    "inner",
    "pusher",
    "team",
  ]);
});

it("leaves the caller's own bindings of an organization to the service, unless a role waits for them", () => {
  const roles: TeardownRow[] = [{ uid: `${ORGANIZATION}/${id("5")}`, name: "chief" }];
  const owner = `${ORGANIZATION}/${id("9")}`;
  const names = (roleUid: string) =>
    namesOf(
      plan({
        groups: [{ uid: ORGANIZATION, name: "acme" }],
        rows: { roles, roleBindings: [{ uid: owner, name: "mine", roleUid }] },
        own: new Set([owner]),
      }),
    );
  expect(names("b".repeat(40))).toEqual(["chief", "acme"]);
  expect(names(`${ORGANIZATION}/${id("5")}`)).toEqual(["mine", "chief", "acme"]);
});

it("deletes from all of several groups what refers to others, before any of the groups", () => {
  const OTHER = `${ORGANIZATION}/${id("a")}`;
  const role = { uid: `${TEAM}/${id("5")}`, name: "pusher" };
  const binding = { uid: `${OTHER}/${id("6")}`, identity: { name: "ci" }, role, roleUid: role.uid };
  const made = plan({
    groups: [
      { uid: TEAM, name: "team" },
      { uid: OTHER, name: "other" },
    ],
    rows: { groups: [{ uid: INNER, name: "inner" }], roles: [role], roleBindings: [binding] },
  });
  expect(namesOf(made)).toEqual(["ci, pusher", "pusher", "inner", "team", "other"]);
  expect(made.counts.map(([{ collection }, count]) => [collection, count])).toEqual([
    ["roleBindings", 1],
    ["roles", 1],
    ["groups", 1],
  ]);
});

it("deletes terms right before their group, since somebody below may have accepted them", () => {
  const terms = [
    { uid: `${TEAM}/${id("9")}`, name: "tos.v1" },
    { uid: `${DEEP}/${id("9")}`, name: "dpa.v1" },
  ];
  expect(namesOf(plan({ rows: { groups: rows["groups"], terms } }))).toEqual([
    "dpa.v1",
    "deep",
    "inner",
    "tos.v1",
    "team",
  ]);
});

it("includes new kinds from the registry", () => {
  const like = (collection: string, more: Partial<Kind>): Kind => ({
    ...(registry.find((kind) => kind.collection === "identities") as Kind),
    collection,
    noun: collection,
    plural: collection,
    ...more,
  });
  const kinds = [
    ...registry,
    like("providers", {}),
    like("mappings", { parent: "providers" }),
    like("notices", { access: { list: { at: "anyone", needs: [] } } }),
    like("trinkets", { withParent: "goes" }),
  ];
  const provider = `${TEAM}/${id("a")}`;
  const made = plan({
    kinds,
    rows: {
      ...rows,
      providers: [{ uid: provider, name: "okta" }],
      mappings: [{ uid: `${provider}/${id("b")}`, name: "admins" }],
      notices: [{ uid: `${TEAM}/${id("c")}`, name: "CGA-1" }],
      trinkets: [{ uid: `${TEAM}/${id("d")}`, name: "trinket" }],
    },
    refusal: ({ collection }) => (collection === "repos" ? "You need permission to delete repos" : undefined),
  });
  expect(namesOf(made).slice(0, 4)).toEqual(["CGA-1", "admins", "okta", "nginx"]);
  expect(namesOf(made)).not.toContain("trinket");
  expect(made.steps.map(({ refused }) => refused).filter(Boolean)).toEqual([
    "Notices can't be deleted",
    "You need permission to delete repos",
  ]);
  expect(made.steps[1]?.where).toBe("okta");
});
