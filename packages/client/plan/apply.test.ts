import { beforeEach, expect, it } from "vitest";

import { parentOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";

import type { Client } from "../client";
import { ApiError } from "../errors";
import { perKind, type Collection, type Contents, type SnapshotRow } from "../snapshots/format";
import { applyPlan, newRun, orderOf, type Application, type Run, type StepReport } from "./apply";
import { digestOf } from "./digest";
import { makePlan } from "./plan";
import type { PlanFile } from "./plan-file";
import type { PlanStep } from "./planned";
import type { State, StateRow } from "./state";

const ROOT = "a".repeat(40);
const ADA = "b".repeat(40);
const OWNER = "c".repeat(40);
const id = (text: string): string => Buffer.from(text).toString("hex").padEnd(16, "0").slice(0, 16);
const TEAM = `${ROOT}/${id("team")}`;
const ROLE = `${ROOT}/${id("role")}`;
const WEB = `${TEAM}/${id("web")}`;
const KIND = "ORG_KIND_CUSTOMER";
const claimMatch = { issuer: "https://issuer.example", subject: "ci" };

const binding = (uid: string, identityUid: string, roleUid: string): SnapshotRow => ({
  uid,
  identityUid,
  roleUid,
  identity: { uid: identityUid, email: identityUid === ADA ? "ada@example.com" : "other" },
  role: { uid: roleUid, name: roleUid === OWNER ? "owner" : "pusher" },
});

/** Records in memory, as a service of this API has them. */
class Service {
  readonly records = perKind((): SnapshotRow[] => []);
  readonly calls: string[] = [];
  readonly answers = new Map<string, SnapshotRow>();
  /** Names that are refused. */
  readonly refuses = new Set<string>();
  /** Ends the connection after the write with this number. */
  losesAfter = Infinity;
  #made = 0;

  readonly client = {
    call: (endpoint: Endpoint, input: Parameters<Client["call"]>[1]) => this.#call(endpoint, input),
    items: (endpoint: Endpoint, { query }: { query: Record<string, unknown> }) =>
      this.#items(endpoint.collection as Collection, query),
  } as unknown as Client;

  contents(): Contents {
    return structuredClone({ records: this.records, missing: {} });
  }

  async *#items(collection: Collection, query: Record<string, unknown>) {
    const parent = String(query["uidp.children_of"] ?? "");
    yield* this.records[collection].filter(({ uid }) => parentOf(uid) === parent);
  }

  // oxlint-disable-next-line typescript/require-await -- rejects, as the client does
  async #call({ collection, verb }: Endpoint, input: Parameters<Client["call"]>[1]): Promise<unknown> {
    const {
      path = {},
      body,
      idempotencyKey = "",
    } = input as {
      path?: Record<string, string>;
      body?: Record<string, unknown>;
      idempotencyKey?: string;
    };
    const rows = this.records[collection as Collection];
    const index = rows.findIndex(({ uid }) => uid === path["uid"]);
    if (verb !== "create" && index < 0)
      throw new ApiError("refused", "Not found", {
        http: 404,
        status: { code: 5, message: "Not found", details: [{ "@type": "x" }] },
      });
    if (verb === "get") return rows[index];
    const answered = this.answers.get(idempotencyKey);
    if (answered && verb === "create") return answered;
    this.calls.push(`${verb} ${collection} ${String(body?.["name"] ?? path["uid"] ?? "")}`.trim());
    if (this.refuses.has(String(body?.["name"] ?? path["uid"])))
      throw new ApiError("refused", "no", { http: 403, status: { code: 7, message: "no" } });
    const row = this.#write(collection as Collection, verb, path, body, index);
    this.answers.set(idempotencyKey, row);
    if (this.calls.length > this.losesAfter) throw new ApiError("unreachable", "lost");
    return row;
  }

  #write(
    collection: Collection,
    verb: string,
    { parent = "" }: Record<string, string>,
    body: Record<string, unknown> | undefined,
    index: number,
  ): SnapshotRow {
    const rows = this.records[collection];
    const before = rows[index];
    if (verb === "delete") rows.splice(index, 1);
    if (before) {
      if (verb === "update") rows[index] = { ...before, ...body };
      return before;
    }
    this.#made += 1;
    const own = this.#made.toString(16).padStart(parent === "" ? 40 : 16, "0");
    const kind = this.records.groups.find(({ uid }) => uid === parent.slice(0, 40))?.["kind"];
    const row = {
      ...body,
      uid: parent === "" ? own : `${parent}/${own}`,
      ...(collection === "groups" && kind !== undefined && { kind }),
    };
    rows.push(row);
    if (collection === "groups" && parent === "")
      this.records.roleBindings.push(binding(`${own}/${id("first")}`, ADA, OWNER));
    return row;
  }
}

let service: Service;
beforeEach(() => {
  service = new Service();
  const { records } = service;
  records.groups.push({ uid: ROOT, name: "acme", kind: KIND }, { uid: TEAM, name: "team", kind: KIND });
  records.roles.push({ uid: ROLE, name: "pusher", capabilities: ["CAP_REPO_LIST", "CAP_TAG_CREATE"] });
  records.roleBindings.push(
    binding(`${ROOT}/${id("own")}`, ADA, OWNER),
    binding(`${TEAM}/${id("deep")}`, ADA, ROLE),
  );
  records.identities.push({ uid: ADA, name: "ada", email: "ada@example.com" });
  records.repos.push({ uid: WEB, name: "web", description: "Web", activeTags: ["latest"] });
});

type Edit = (records: Record<Collection, StateRow[]>) => void;

async function planned(edit: Edit): Promise<PlanFile> {
  const reality = service.contents();
  const records = structuredClone(reality.records) as Record<Collection, StateRow[]>;
  edit(records);
  const state: State = { scope: { uid: ROOT, name: "acme" }, records, without: [] };
  return fileOf(state, reality);
}
const fileOf = async (state: State, reality: Contents): Promise<PlanFile> => ({
  format: "platform-plan",
  version: 1,
  scope: state.scope,
  service: "https://api.example",
  manage: [],
  state: await digestOf(state.records),
  reality: await digestOf(reality.records),
  ...makePlan({ state, reality, scope: ROOT }),
});

const linesOf = (steps: readonly PlanStep[]): string[] =>
  steps.map(({ how, collection, path }) => `${how} ${collection} ${path}`);

async function applied(plan: PlanFile, more: Partial<Application> = {}) {
  const said: string[] = [];
  const report = (step: PlanStep, what: StepReport) => {
    said.push(`${what.as} ${step.id}`);
  };
  const { client } = service;
  const reality = service.contents();
  const { signal } = new AbortController();
  const all = { client, idempotencyKeys: true, plan, reality, self: ADA, run: newRun(), signal, report };
  return { said, ...(await applyPlan({ ...all, ...more })) };
}
const grown: Edit = ({ groups, identities, roleBindings, repos }) => {
  groups.push({ name: "new", parent: "acme" });
  identities.push({ name: "bot", parent: "acme/new", claimMatch });
  roleBindings.push({ parent: "acme/new", identity: { name: "bot" }, role: { name: "pusher" } });
  repos.push({ name: "api", parent: "acme/team" });
};

it("carries out steps in their order, with the uids of what it made, and tells of each", async () => {
  const plan = await planned(grown);
  const { said, done } = await applied(plan);
  expect(said).toEqual(plan.steps.flatMap((step) => [`begun ${step.id}`, `done ${step.id}`]));
  const uid = (step: string) => done.get(step)?.uid;
  expect(service.records.roleBindings.at(-1)).toMatchObject({
    uid: expect.stringContaining(`${uid("create groups acme/new")}/`),
    identityUid: uid("create identities acme/new/bot"),
    roleUid: ROLE,
  });
  expect((await planned(() => undefined)).steps).toEqual([]);
});

it("does nothing where something has moved since the plan", async () => {
  const plan = await planned(grown);
  service.records.repos[0] = { uid: WEB, name: "web", description: "Other" };
  await expect(applied(plan)).rejects.toThrow("has changed since the plan was made");
  expect(service.calls).toEqual([]);
});

it("does not try what needs a refused step, and does the rest", async () => {
  const plan = await planned(grown);
  service.refuses.add("bot");
  const { said, refused, waiting, moved, done } = await applied(plan);
  expect(moved).toBeUndefined();
  expect([...refused.keys()]).toEqual(["create identities acme/new/bot"]);
  expect([...waiting]).toEqual([
    ["create roleBindings acme/new/bot, pusher", "create identities acme/new/bot"],
  ]);
  expect(said).toContain("waits create roleBindings acme/new/bot, pusher");
  expect([...done.keys()]).toEqual(["create groups acme/new", "create repos acme/team/api"]);
});

it("ends at a record that somebody changed meanwhile, and overwrites nothing", async () => {
  const plan = await planned(({ repos, groups }) => {
    groups[1] = { uid: TEAM, name: "crew" };
    repos[0] = { uid: WEB, name: "web", description: "Mine" };
    repos.push({ name: "api", parent: "acme/crew" });
  });
  const { moved, done } = await applied(plan, {
    report(step) {
      if (step.collection === "groups")
        service.records.repos[0] = { uid: WEB, name: "web", description: "Theirs" };
    },
  });
  expect(moved).toMatchObject({ step: { uid: WEB }, why: "somebody changed it since: description" });
  expect([...done.keys()]).toEqual(["create repos acme/crew/api", `update groups ${TEAM}`]);
  expect(service.records.repos[0]).toMatchObject({ description: "Theirs" });
});

it.each([true, false])("goes on after any end and does nothing twice (keys: %s)", async (idempotencyKeys) => {
  const plan = await planned((records) => {
    grown(records);
    records.repos[0] = { uid: WEB, name: "web", description: "Mine" };
    records.roleBindings = records.roleBindings.filter(({ uid }) => uid !== `${TEAM}/${id("deep")}`);
  });
  expect(plan.steps).toHaveLength(6);
  const reality = service.contents();
  const run: Run = newRun();
  const [begun, done] = [new Map<string, number>(), new Map()];
  const report = (step: PlanStep, what: StepReport) => {
    if (what.as === "begun") begun.set(step.id, Date.now());
    if (what.as === "done") done.set(step.id, what);
  };
  for (let writes = 0; writes < plan.steps.length; writes += 1) {
    service.losesAfter = writes;
    // oxlint-disable-next-line no-await-in-loop
    await expect(
      applied(plan, { reality, idempotencyKeys, report, run: { ...run, begun, done } }),
    ).rejects.toThrow("lost");
  }
  const { done: all } = await applied(plan, { reality, idempotencyKeys, run: { ...run, begun, done } });
  expect(all.size).toBe(6);
  expect(service.calls).toHaveLength(6);
  expect(new Set(service.calls).size).toBe(6);
});

it("looks before it repeats a request whose answer isn't kept any more", async () => {
  const plan = await planned(grown);
  service.losesAfter = 0;
  const run = newRun();
  await expect(applied(plan, { run })).rejects.toThrow("lost");
  service.losesAfter = Infinity;
  service.answers.clear();
  const begun = new Map([["create groups acme/new", Date.now() - 24 * 3_600_000]]);
  const { done } = await applied(plan, { run: { ...run, begun } });
  expect(done.get("create groups acme/new")).toMatchObject({ found: true });
  expect(service.records.groups.filter(({ name }) => name === "new")).toHaveLength(1);
});

it("carries out a plan again that was carried out before", async () => {
  const plan = await planned(grown);
  const before = service.contents();
  await applied(plan);
  for (const kind of ["groups", "identities", "roleBindings", "repos"] as const)
    service.records[kind].splice(0, Infinity, ...before.records[kind]);
  await applied(plan);
  expect(service.records.groups.filter(({ name }) => name === "new")).toHaveLength(1);
});

it("takes the caller's own rights away last, the deepest first", async () => {
  const plan = await planned((records) => {
    records.roleBindings = [];
    records.roles[0] = { uid: ROLE, name: "pusher", capabilities: ["CAP_REPO_LIST"] };
    records.repos = [];
    records.groups = records.groups.filter(({ uid }) => uid === ROOT);
  });
  const reality = service.contents();
  expect(linesOf(orderOf({ plan, reality, self: ADA }))).toEqual([
    "delete repos acme/team/web",
    "delete roleBindings acme/team/ada@example.com, pusher",
    "delete groups acme/team",
    "update roles acme/pusher",
    "delete roleBindings acme/ada@example.com, owner",
  ]);
  expect(linesOf(orderOf({ plan, reality, self: undefined }))).toEqual(linesOf(plan.steps));
});

it("makes an organization anew, whose creator has their role already", async () => {
  const reality = service.contents();
  const state: State = { scope: { uid: ROOT, name: "acme" }, records: reality.records, without: [] };
  for (const kind of ["groups", "roles", "roleBindings", "repos", "identities"] as const)
    service.records[kind].length = 0;
  const plan = await fileOf(state, service.contents());
  expect(plan.said.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    ": only the operator sets kind: not sent",
    expect.stringMatching(/^acme: it isn't there, or you can't see it: the plan makes it anew/),
  ]);
  expect(linesOf(plan.steps)).toEqual([
    "create groups acme",
    "create groups acme/team",
    "create roles acme/pusher",
    "create roleBindings acme/ada@example.com, owner",
    "create roleBindings acme/team/ada@example.com, pusher",
    "create repos acme/team/web",
  ]);
  const { done, refused } = await applied(plan);
  expect([refused.size, done.size]).toEqual([0, 6]);
  expect(done.get("create roleBindings acme/ada@example.com, owner")).toMatchObject({ found: true });
  expect(service.records.roleBindings).toHaveLength(2);
  expect(service.records.repos).toMatchObject([{ name: "web", activeTags: ["latest"] }]);
});
