import { describe, expect, it, test } from "vitest";

import { parentOf } from "platform-contract/aip";

import { perKind, type Collection, type Contents, type SnapshotRow } from "../snapshots/format";
import { managing } from "./manage";
import { canonical } from "./digest";
import { makePlan } from "./plan";
import type { Planned } from "./planned";
import { stateOf, type State, type StateRow } from "./state";

const ROOT = "a".repeat(40);
const PERSON = "b".repeat(40);
const OWNER = "c".repeat(40);
const id = (text: string): string => Buffer.from(text).toString("hex").padEnd(16, "0").slice(0, 16);
const TEAM = `${ROOT}/${id("team")}`;
const INNER = `${TEAM}/${id("inner")}`;
const CI = `${TEAM}/${id("ci")}`;
const ROLE = `${ROOT}/${id("role")}`;
const WEB = `${INNER}/${id("web")}`;
const GRANT = `${TEAM}/${id("grant")}`;

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const RECORDS: Record<Collection, SnapshotRow[]> = {
  groups: [
    { uid: ROOT, name: "acme", kind: "ORG_KIND_CUSTOMER" },
    { uid: TEAM, name: "team", description: "Ours" },
    { uid: INNER, name: "inner" },
  ],
  roles: [{ uid: ROLE, name: "pusher", capabilities: ["CAP_TAG_CREATE", "CAP_REPO_LIST"] }],
  roleBindings: [
    {
      uid: GRANT,
      identityUid: CI,
      roleUid: ROLE,
      identity: { uid: CI, name: "ci" },
      role: { uid: ROLE, name: "pusher" },
    },
    {
      uid: `${ROOT}/${id("owner")}`,
      identityUid: PERSON,
      roleUid: OWNER,
      identity: { uid: PERSON, email: "ada@example.com" },
      role: { uid: OWNER, name: "owner" },
    },
  ],
  identities: [
    { uid: CI, name: "ci", claimMatch },
    { uid: PERSON, name: "ada", email: "ada@example.com" },
  ],
  repos: [{ uid: WEB, name: "web", activeTags: ["latest"] }],
  tags: [{ uid: `${WEB}/${id("tag")}`, name: "latest", digest: "sha256:1" }],
};
const reality: Contents = { records: RECORDS, missing: {} };
type Edit = (records: Record<Collection, StateRow[]>) => void;
const stateWith = (edit: Edit = () => undefined): State => {
  const records = structuredClone(RECORDS) as Record<Collection, StateRow[]>;
  edit(records);
  return { scope: { uid: ROOT, name: "acme" }, records, without: [] };
};
const planOf = (edit?: Edit, more: Partial<Parameters<typeof makePlan>[0]> = {}): Planned =>
  makePlan({ state: stateWith(edit), reality, scope: ROOT, ...more });
const linesOf = ({ steps }: Planned): string[] =>
  steps.map(({ how, collection, path }) => `${how} ${collection} ${path}`);
const change = (rows: StateRow[], uid: string, values: object): void => {
  const at = rows.findIndex((row) => row.uid === uid);
  rows[at] = { ...(rows[at] as StateRow), ...values };
};

describe("a plan", () => {
  it("is empty for what is there", () => {
    expect(planOf()).toEqual({ steps: [], said: [] });
  });

  it("changes the fields that differ, and clears what the state lacks", () => {
    const plan = planOf(({ groups, identities, roles }) => {
      groups[1] = { uid: TEAM, name: "crew" };
      change(identities, CI, { claimMatch: { ...claimMatch, subject: "other" } });
      // A set, in another order.
      change(roles, ROLE, { capabilities: ["CAP_REPO_LIST", "CAP_TAG_CREATE"] });
    });
    expect(plan.steps).toMatchObject([
      {
        id: `update groups ${TEAM}`,
        path: "acme/team",
        mask: ["description", "name"],
        body: { name: "crew" },
        fields: [
          { path: "description", before: "Ours", after: undefined },
          { path: "name", before: "team", after: "crew" },
        ],
      },
      { mask: ["claimMatch"], fields: [{ path: "claimMatch.subject", before: "ci", after: "other" }] },
    ]);
  });

  it("leaves the kind of a folder, which is that of its organization, where the state says nothing of it", () => {
    const kind = "ORG_KIND_CUSTOMER";
    const groups = RECORDS.groups.map((group) => ({ ...group, kind, verified: true }));
    const there: Contents = { ...reality, records: { ...RECORDS, groups } };
    expect(planOf(undefined, { reality: there })).toEqual({ steps: [], said: [] });
    const other = planOf(({ groups: rows }) => change(rows, TEAM, { kind: "ORG_KIND_DEV" }), {
      reality: there,
    });
    expect(other.steps).toMatchObject([
      { mask: ["kind"], fields: [{ before: kind, after: "ORG_KIND_DEV" }] },
    ]);
  });

  it("creates what is new, groups first, with references for what has no uid yet", () => {
    const plan = planOf(({ groups, identities, roles, roleBindings, repos }) => {
      repos.push({ name: "api", parent: "acme/new/deep" });
      roleBindings.push({ parent: "acme/new/deep", identity: { name: "bot" }, role: { name: "puller" } });
      roleBindings.push({
        parent: "acme/new",
        identity: { name: "ada@example.com" },
        role: { name: "owner" },
      });
      groups.push({ name: "deep", parent: "acme/new" }, { name: "new", parent: ROOT });
      identities.push({ name: "bot", parent: "acme/new", claimMatch });
      roles.push({ name: "puller", parent: ROOT, capabilities: ["CAP_REPO_LIST"] });
    });
    expect(linesOf(plan)).toEqual([
      "create groups acme/new",
      "create groups acme/new/deep",
      "create identities acme/new/bot",
      "create roles acme/puller",
      "create roleBindings acme/new/deep/bot, puller",
      "create roleBindings acme/new/ada@example.com, owner",
      "create repos acme/new/deep/api",
    ]);
    expect(plan.steps[0]).toMatchObject({ parent: ROOT, body: { name: "new" }, needs: [] });
    expect(plan.steps[4]).toMatchObject({
      parent: { ref: "create groups acme/new/deep" },
      body: {
        identityUid: { ref: "create identities acme/new/bot" },
        roleUid: { ref: "create roles acme/puller" },
      },
      needs: ["create groups acme/new/deep", "create identities acme/new/bot", "create roles acme/puller"],
    });
    expect(plan.steps[5]).toMatchObject({ body: { identityUid: PERSON, roleUid: OWNER } });
  });

  it("deletes in the order of the teardown", () => {
    const plan = planOf((records) => {
      records.groups = records.groups.filter(({ uid }) => uid === ROOT);
      for (const kind of ["roles", "repos"] as const) records[kind] = [];
      records.identities = records.identities.filter(({ uid }) => uid === PERSON);
      records.roleBindings = records.roleBindings.filter(({ uid }) => uid !== GRANT);
    });
    expect(linesOf(plan)).toEqual([
      "delete repos acme/team/inner/web",
      "delete roleBindings acme/team/ci, pusher",
      "delete roles acme/pusher",
      "delete identities acme/team/ci",
      "delete groups acme/team/inner",
      "delete groups acme/team",
    ]);
    expect(plan.steps[3]?.needs).toEqual([`delete roleBindings ${GRANT}`]);
  });

  it("finds by name what was made anew, with what refers to it", () => {
    const older = JSON.parse(
      JSON.stringify(RECORDS).replaceAll(TEAM, `${ROOT}/${id("older")}`),
    ) as typeof RECORDS;
    const plan = makePlan({ state: { ...stateWith(), records: older }, reality, scope: ROOT });
    expect(plan).toEqual({ steps: [], said: [] });
  });

  it("leaves alone what is not managed, and the groups that hold it", () => {
    const edit: Edit = (records) => {
      records.groups = records.groups.slice(0, 1);
      records.repos = [];
      records.identities = [];
      records.roleBindings = [];
    };
    const plan = planOf(edit, { manage: ["!repos:**", "!roleBindings:**"] });
    expect(linesOf(plan)).toEqual(["delete identities acme/team/ci"]);
    expect(plan.said.map(({ path }) => path)).toEqual(["acme/team", "acme/team/inner"]);
    expect(linesOf(planOf(edit, { manage: ["repos:acme/team/**"] }))).toEqual([
      "delete repos acme/team/inner/web",
    ]);
  });

  it("says what the API can't write", () => {
    const plan = planOf(({ identities, tags, groups }) => {
      change(identities, PERSON, { name: "eve" });
      change(groups, ROOT, { status: "ORG_STATUS_READY" });
      change(tags, `${WEB}/${id("tag")}`, { digest: "sha256:2" });
    });
    expect(plan.steps).toEqual([]);
    expect(plan.said.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      "acme: only the service sets status",
      "eve: name differs, and only the service sets that",
      "acme/team/inner/web/latest: digest differs: tags are pushed, not planned",
    ]);
  });

  it("compares no kind that either side lacks", () => {
    const empty = { ...stateWith((records) => (records.repos = [])), without: ["repos"] as const };
    const plan = makePlan({ state: empty, reality, scope: ROOT });
    expect(plan).toMatchObject({ steps: [], said: [{ collection: "repos" }] });
    const hidden = { records: { ...RECORDS, repos: [] }, missing: { repos: "no" } };
    expect(makePlan({ state: stateWith(), reality: hidden, scope: ROOT }).steps).toEqual([]);
  });

  it("moves nothing to another group", () => {
    const plan = planOf(({ identities }) => change(identities, CI, { parent: "acme" }));
    expect(plan).toMatchObject({ steps: [], said: [{ path: "acme/ci" }] });
  });

  it("takes a name after it was given up, and swaps none in a circle", () => {
    const renamed = planOf(({ groups }) => {
      change(groups, TEAM, { name: "crew" });
      groups.push({ name: "team", parent: ROOT });
    });
    expect(linesOf(renamed)).toEqual(["update groups acme/team", "create groups acme/team"]);
    const both: Contents = {
      ...reality,
      records: { ...RECORDS, groups: [...RECORDS.groups, { uid: `${ROOT}/${id("crew")}`, name: "crew" }] },
    };
    const state = stateWith(({ groups }) => {
      change(groups, TEAM, { name: "crew" });
      groups.push({ uid: `${ROOT}/${id("crew")}`, name: "team" });
    });
    expect(makePlan({ state, reality: both, scope: ROOT })).toMatchObject({ steps: [], said: [{}, {}] });
  });

  it("refuses a state whose own scope is missing", () => {
    expect(() => planOf((records) => (records.groups = []))).toThrow("files are missing");
    expect(() => planOf(({ repos }) => repos.push({ name: "x", parent: "acme/none" }))).toThrow(
      "isn't in the state",
    );
  });

  it("has the same digest whatever the order, and another one after a change", () => {
    const turned = perKind((kind) => RECORDS[kind].toReversed());
    expect(canonical(turned)).toBe(canonical(RECORDS));
    expect(canonical(stateWith(({ groups }) => change(groups, TEAM, { name: "x" })).records)).not.toBe(
      canonical(RECORDS),
    );
    expect(canonical({ ...RECORDS, tags: [] })).toBe(canonical(RECORDS));
  });
});

/** Random numbers that are the same each time (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

test.each(Array.from({ length: 200 }, (_, seed) => [seed]))(
  "random edits %i are planned, and no others",
  (seed) => {
    const random = randomFrom(seed + 1);
    const groups: SnapshotRow[] = [{ uid: ROOT, name: "acme" }];
    const repos: SnapshotRow[] = [];
    const identities: SnapshotRow[] = [];
    for (let index = 0; index < 12; index += 1) {
      const parent = groups[random(groups.length)]?.uid ?? ROOT;
      groups.push({ uid: `${parent}/${id(`g${index}`)}`, name: `group-${index}`, description: "d" });
      const at = groups[random(groups.length)]?.uid ?? ROOT;
      repos.push({ uid: `${at}/${id(`r${index}`)}`, name: `repo-${index}`, description: "d" });
      identities.push({ uid: `${at}/${id(`i${index}`)}`, name: `id-${index}`, claimMatch });
    }
    const there = { ...perKind((): SnapshotRow[] => []), groups, repos, identities };
    const records = structuredClone(there) as Record<Collection, StateRow[]>;
    const state: State = { scope: { uid: ROOT, name: "acme" }, records, without: [] };
    const expected = new Set<string>();
    const kindsOf = ["repos", "identities"] as const;
    for (let edits = 0; edits < 8; edits += 1) {
      const kind = kindsOf[random(2)] ?? "repos";
      const rows = records[kind];
      const index = random(rows.length);
      const row = rows[index];
      if (!row?.uid || expected.has(`update ${kind} ${row.uid}`)) continue;
      const act = random(4);
      if (act === 0) {
        rows.splice(index, 1);
        expected.add(`delete ${kind} ${row.uid}`);
      } else if (act === 1) {
        rows[index] = { ...row, description: `new-${edits}` };
        expected.add(`update ${kind} ${row.uid}`);
      } else if (act === 2) {
        const parent = groups[random(groups.length)]?.uid ?? ROOT;
        rows.push({ name: `made-${edits}`, parent, claimMatch });
        expected.add(`create ${kind} ${parent} made-${edits}`);
      } else {
        // A group without others in it goes with all that is in it.
        const leaf = records.groups.find(
          ({ uid = "" }) =>
            uid !== ROOT && !records.groups.some((other) => parentOf(other.uid ?? "") === uid),
        );
        const isIn = (one: StateRow) => (one.parent ?? parentOf(one.uid ?? "")) === leaf?.uid;
        const touched = kindsOf.some((each) =>
          records[each].some(
            (one) => isIn(one) && (one.uid === undefined || expected.has(`update ${each} ${one.uid}`)),
          ),
        );
        if (!leaf || touched) continue;
        for (const each of kindsOf) {
          for (const one of records[each].filter(isIn)) expected.add(`delete ${each} ${one.uid}`);
          records[each] = records[each].filter((one) => !isIn(one));
        }
        records.groups.splice(records.groups.indexOf(leaf), 1);
        expected.add(`delete groups ${leaf.uid}`);
      }
    }
    const inState = new Set(records.groups.map(({ uid }) => uid));
    // What was made in a group that went later is not a state.
    if (
      kindsOf.some((kind) =>
        records[kind].some((row) => row.parent !== undefined && !inState.has(row.parent)),
      )
    )
      return;
    const { steps, said } = makePlan({ state, reality: { records: there, missing: {} }, scope: ROOT });
    const found = steps.map(({ id: step, how, collection, parent, body }) =>
      how === "create" ? `create ${collection} ${String(parent)} ${String(body?.["name"])}` : step,
    );
    expect(found.toSorted()).toEqual([...expected].toSorted());
    expect(said).toEqual([]);
    const done = new Set<string>();
    for (const step of steps) {
      expect(step.needs.every((need) => done.has(need))).toBe(true);
      done.add(step.id);
    }
  },
);

test.each([
  [[], "repos", "acme/x", true],
  [["acme/*"], "repos", "acme/x", true],
  [["acme/*"], "repos", "acme/x/y", false],
  [["acme/**"], "repos", "acme/x/y", true],
  [["repos:acme/**"], "roles", "acme/x", false],
  [["!acme/x"], "roles", "acme/x", false],
  [["acme/**", "!acme/x/**"], "roles", "acme/x/y", false],
  [["a.c"], "roles", "abc", false],
] as const)("%j manages %s %s: %s", (patterns, collection, path, managed) => {
  expect(managing(patterns)(collection, path)).toBe(managed);
});

test.each([
  [{ groups: [{ uid: "x" }] }, "groups[0].uid is not a uid"],
  [{ groups: [{ name: "x" }] }, "needs a parent"],
  [{ groups: [3] }, "groups[0] is no record"],
  [{ groups: [{ uid: ROOT }, { uid: ROOT }] }, "twice"],
  [{ scope: null }, "no scope"],
  [{ repos: {} }, "repos is not a list"],
  [{ version: 9 }, "has version 9"],
])("%j is no state", (content, sentence) => {
  const head = { format: "platform-console-snapshot", version: 2, scope: { uid: ROOT, name: "acme" } };
  expect(() => stateOf({ ...head, ...content })).toThrow(sentence);
});
