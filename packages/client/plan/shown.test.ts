import { expect, it } from "vitest";

import { FORMAT, perKind, VERSION, type Contents, type SnapshotRow } from "../snapshots/format";
import { planFileOf } from "./plan";
import { readPlanFile, type PlanFile } from "./plan-file";
import { checkPaths } from "./shown";
import { stateOf, type StateRow } from "./state";

const ROOT = "a".repeat(40);
const TEAM = `${ROOT}/${"1".repeat(16)}`;
const OTHER = `${ROOT}/${"2".repeat(16)}`;
const OLD = `${TEAM}/${"3".repeat(16)}`;
const claimMatch = { issuer: "https://issuer.example", claims: { "kubernetes.io/pod": "a" } };
const records = perKind((): SnapshotRow[] => []);
records.groups.push({ uid: ROOT, name: "acme" }, { uid: TEAM, name: "a/b" }, { uid: OTHER, name: "prod" });
records.identities.push({ uid: `${TEAM}/${"4".repeat(16)}`, name: "ci", claimMatch });
records.repos.push({ uid: OLD, name: "old" }, { uid: `${TEAM}/${"5".repeat(16)}`, name: "gone" });
const reality: Contents & Pick<PlanFile, "scope"> = {
  scope: { uid: ROOT, name: "acme" },
  records,
  missing: {},
};

/** A plan with every kind of step. */
async function made(): Promise<PlanFile> {
  const [root, team, other] = records.groups as [StateRow, StateRow, StateRow];
  const state = stateOf({
    format: FORMAT,
    version: VERSION,
    scope: reality.scope,
    groups: [root, { ...team, name: "team" }, other, { name: "new", parent: TEAM }],
    identities: records.identities.map((row) => ({
      ...row,
      description: "new",
      claimMatch: {
        issuer: claimMatch.issuer,
        subject: "x",
        claims: { "kubernetes.io/pod": "b", list: ["y"] },
      },
    })),
    roles: [{ name: "pusher", parent: "acme/team/new", capabilities: ["CAP_REPO_LIST"] }],
    roleBindings: [{ parent: TEAM, identity: { name: "ci" }, role: { name: "pusher" } }],
    repos: [
      { uid: OLD, name: "old", description: "" },
      { name: "web", parent: "acme/team/new", description: "shown", bundles: ["base"] },
      { name: "api", parent: TEAM },
    ],
    tags: [],
  });
  return planFileOf({ state, reality, service: "https://api.example" });
}
type Steps = Record<string, unknown>[];
const read = (plan: PlanFile, edit: (steps: Steps) => void): PlanFile => {
  const copy = JSON.parse(JSON.stringify(plan)) as { steps: Steps };
  edit(copy.steps);
  return readPlanFile(JSON.stringify(copy));
};
const found = (steps: Steps, id: string) => steps.find((step) => String(step["id"]).startsWith(id)) as never;

it("takes a plan as it was made", async () => {
  const plan = await made();
  expect(plan.steps.map(({ how, collection }) => `${how} ${collection}`)).toEqual(
    expect.arrayContaining([
      "create groups",
      "create roles",
      "create roleBindings",
      "create repos",
      "update groups",
      "update identities",
      "delete repos",
    ]),
  );
  const file = read(plan, () => undefined);
  expect(file).toEqual(JSON.parse(JSON.stringify(plan)));
  checkPaths(file, reality);
});

type Edited = Record<"body" | "id" | "path" | "uid" | "collection" | "parent" | "mask", never>;
it.each<[string, string, (step: Edited) => unknown]>([
  [
    "another value",
    "create repos acme/team/new/web",
    ({ body }) => Object.assign(body, { description: "x" }),
  ],
  ["a field more", "create repos acme/team/new/web", ({ body }) => Object.assign(body, { aliases: ["x"] })],
  ["another name", "create repos acme/team/api", (step) => Object.assign(step, { path: "acme/team/x" })],
  ["another role", "create roleBindings", ({ body }) => Object.assign(body, { roleUid: ROOT })],
  ["another value in a part", "update identities", ({ body }) => Object.assign(body, { description: "x" })],
  [
    "a claim",
    "update identities",
    ({ body }) =>
      Object.assign((body as { claimMatch: { claims: object } }).claimMatch.claims, {
        "kubernetes.io/pod": "*",
      }),
  ],
  ["a field that isn't shown", "update identities", ({ mask }) => (mask as string[]).push("name")],
  ["another record", "delete repos", (step) => Object.assign(step, { uid: OLD })],
])("refuses a plan that sends %s", async (_, id, edit) => {
  const plan = await made();
  expect(() => read(plan, (steps) => void edit(found(steps, id)))).toThrow(
    "would do something else than it shows",
  );
});

it.each<[string, string, object]>([
  ["deletes another record", "delete repos", { uid: OLD, id: `delete repos ${OLD}` }],
  ["creates in another folder", "create repos acme/team/api", { parent: OTHER }],
  ["creates in another new folder", "create repos acme/team/new/web", { parent: OTHER }],
  ["changes a record of another kind", "update groups", { uid: OLD, id: `update groups ${OLD}` }],
])("refuses a plan that %s than its path says", async (_, id, edit) => {
  const file = read(await made(), (steps) => void Object.assign(found(steps, id), edit));
  expect(() => checkPaths(file, reality)).toThrow("would do something else than it shows");
});
