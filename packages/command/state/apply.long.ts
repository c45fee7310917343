import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createClient } from "platform-client";
import { lookUp } from "platform-client/plan/match/reality";
import type { PlanStep } from "platform-client/plan/planned";
import { inOrder } from "platform-client/snapshots/file";
import { COLLECTIONS, perKind, readSnapshot, type Snapshot } from "platform-client/snapshots/format";
import { parentOf } from "platform-contract/aip";
import { listAuditEntries } from "platform-contract/audit/entries";
import { tags as tagsOf } from "platform-contract/registry/tags";

import { random } from "../../../server/durability/random";
import { freePort } from "../../../server/testing/app";
import { commandLine, surroundings } from "../../../server/testing/built-service";
import { databaseOn, ownPostgres, type OwnPostgres } from "../../../server/testing/postgres";
import { startService, type TestService } from "../../../server/testing/service";
import { EditedFiles } from "../testing/edits";
import { startRelay, type Relay } from "../testing/relay";
import { terminalAt, type Ended, type Terminal } from "../testing/terminal";

/** 2,000 records, the owner's role binding, and tags, which no plan makes. */
const SIZE = [
  "--groups",
  "300",
  "--depth",
  "8",
  "--identities",
  "900",
  "--bindings",
  "500",
  "--repos",
  "300",
  "--tags",
  "600",
];
const ROUNDS = 20;
const EDITS = 10;
const SEED = Number(process.env["EDIT_SEED"] ?? 20_261_130);
const chance = random(SEED);
const below = (most: number): number => Math.floor(chance() * most);

let server: OwnPostgres;
let stopDatabase: () => Promise<void>;
let service: TestService;
/** Between the command and the service. */
let relay: Relay;
let home: string;
let terminal: Terminal;
let token: string;
let scope: string;

const env = () => ({ PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url });
const run = (...args: string[]) => terminal.run(args, { env: env() });
const well = async (...args: string[]): Promise<Ended> => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code: 0, err: "" });
  return ended;
};
const planOf = (file: string) =>
  JSON.parse(readFileSync(file, "utf8")) as { steps: PlanStep[]; said: { collection: string }[] };
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "round-trip-"));
  server = await ownPostgres();
  const place = await databaseOn(server.url);
  stopDatabase = place.stop;
  const [port, front] = [await freePort(), await freePort()];
  relay = await startRelay(front, port);
  const variables = {
    DATABASE_URL: place.url,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${front}`,
  };
  execFileSync(process.execPath, commandLine("seed", ...SIZE), {
    env: { ...surroundings(), ...variables, SEED: "none" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  service = await startService(variables);
  const [account] = await service.database.query<{ subject: string }>("select subject from accounts");
  token = await service.token(account?.subject ?? "", {}, { seconds: 7200 });
  const [group] = await service.database.query<{ uid: string }>(
    "select uid from groups where parent is null",
  );
  scope = group?.uid ?? "";
  terminal = terminalAt(home);
}, 180_000);
afterAll(async () => {
  await relay.stop();
  await service.stop();
  await stopDatabase();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/**
 * The text of a snapshot with paths by names in place of uids, rows in the order of these, and without the time of the snapshot, the times
 * at which records were made and changed, and the kind of groups, which only the operator sets.
 */
function normalized({ time: _time, ...snapshot }: Snapshot): string {
  const { pathOf, byUid } = lookUp(snapshot, snapshot.scope?.uid ?? "");
  const names = new Map([...byUid].map(([uid, { collection }]) => [uid, `${collection} ${pathOf(uid)}`]));
  expect(new Set(names.values()).size).toBe(names.size);
  const named = (value: unknown): unknown => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) =>
        key === "createTime" || key === "updateTime" ? [] : [[key, named(inner)]],
      ),
    );
  };
  const records = perKind((kind) =>
    snapshot.records[kind]
      .map(({ kind: kindOfGroup, ...row }) => named(kind === "groups" ? row : { ...row, kind: kindOfGroup }))
      .map((row) => JSON.stringify(inOrder(row)))
      .toSorted(),
  );
  return JSON.stringify({ ...(named(snapshot) as object), records }, undefined, 1);
}

/** Pushes the tags of one snapshot to the repos of another one: no plan makes them. */
async function pushed(before: Snapshot, after: Snapshot): Promise<void> {
  const client = createClient({ baseUrl: service.url, token });
  const [old, there] = [before, after].map((one) => lookUp(one, one.scope?.uid ?? ""));
  const repos = new Map(after.records.repos.map(({ uid }) => [there?.pathOf(uid), uid]));
  for (const { uid, name, digest, deprecated } of before.records.tags) {
    const path = { parent: repos.get(old?.pathOf(parentOf(uid))) ?? "" };
    const body = { name: String(name), digest: String(digest), deprecated: deprecated === true };
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are pushed
    await client.call(tagsOf.create, { path, body });
  }
}

test("an organization of 2,000 records is the same after it was deleted and made again from its snapshot", async () => {
  const [state, plan] = [join(home, "state.json"), join(home, "plan.json")];
  await well("snapshot", "--scope", scope, "-o", state);
  const before = readSnapshot(readFileSync(state, "utf8"));
  const count = COLLECTIONS.reduce((sum, kind) => sum + before.records[kind].length, 0);
  expect(count).toBeGreaterThanOrEqual(2000);

  // All but the organization, people and what people may do goes with a plan of its own.
  const people = new Set(
    before.records.identities.map(({ uid }) => uid).filter((uid) => parentOf(uid) === ""),
  );
  const emptied = join(home, "emptied.json");
  const content = JSON.parse(readFileSync(state, "utf8")) as Record<
    string,
    { uid: string; identityUid: string }[]
  >;
  writeFileSync(
    emptied,
    JSON.stringify({
      ...content,
      groups: content["groups"]?.filter(({ uid }) => uid === scope),
      roleBindings: content["roleBindings"]?.filter(({ identityUid }) => people.has(identityUid)),
      identities: content["identities"]?.filter(({ uid }) => people.has(uid)),
      roles: content["roles"]?.filter(({ uid }) => parentOf(uid) === ""),
      repos: [],
      // They go with their repos.
      tags: [],
    }),
  );
  let begin = performance.now();
  await well("plan", emptied, "--out", plan);
  const { steps: deletes } = planOf(plan);
  await well("apply", plan, "--yes");
  await run("delete", "group", scope, "--yes");
  console.log(`deleted with ${deletes.length} steps in ${seconds(begin)}`);
  expect(await run("snapshot", "--scope", scope)).toMatchObject({ code: 1 });

  rmSync(`${plan}.journal`);
  begin = performance.now();
  await well("plan", state, "--anew", "--out", plan);
  const { steps, said: told } = planOf(plan);
  const planned = seconds(begin);
  const { length: tags } = before.records.tags;
  expect(tags).toBeGreaterThan(500);
  const left = told.filter(({ collection }) => collection === "tags");
  const why = "it isn't there: tags are pushed, not planned";
  expect(left).toMatchObject(Array.from({ length: tags }, () => ({ why })));
  begin = performance.now();
  await well("apply", plan, "--yes", "--state", state);
  console.log(`planned ${steps.length} steps in ${planned}, carried out in ${seconds(begin)}`);
  await pushed(before, readSnapshot(readFileSync(state, "utf8")));
  await well("snapshot", "--scope", readSnapshot(readFileSync(state, "utf8")).scope?.uid ?? "", "-o", state);
  const after = readSnapshot(readFileSync(state, "utf8"));
  expect(after.scope?.uid).not.toBe(scope);
  const [one, other] = [normalized(before), normalized(after)];
  const lines = new Set(one.split("\n"));
  expect(other.split("\n").filter((line) => !lines.has(line))).toEqual([]);
  expect(other === one).toBe(true);
  console.log(`${count} records: ${one.length} characters are equal`);
  scope = after.scope?.uid ?? "";
  expect(JSON.parse((await well("plan", state, "-o", "json")).out)).toMatchObject({ steps: [] });
}, 1_200_000);

const said = ({ id, how, collection, body }: PlanStep): string =>
  how !== "create"
    ? id
    : collection === "roleBindings"
      ? "create roleBindings"
      : `create ${collection} ${String(body?.["name"])}`;

/** Kills `apply` once its journal has so many lines, or once the service has done so many of its writes; true if it was killed. */
async function killed(plan: string, { lines = Infinity, writes = 0 }): Promise<boolean> {
  const { child, ended } = terminal.start(["apply", plan, "--yes"], { env: env() });
  relay.lose(writes, () => child.kill("SIGKILL"));
  const timer = setInterval(() => {
    const journal = `${plan}.journal`;
    if (existsSync(journal) && readFileSync(journal, "utf8").split("\n").length > lines)
      child.kill("SIGKILL");
  }, 1);
  const { code } = await ended;
  clearInterval(timer);
  return code === null;
}

test("200 random edits in 20 rounds: each plan is what was edited and what was done, with each act once after kill -9", async () => {
  const directory = join(home, "state");
  // By the operator: folders that the edits make have it too, and no plan takes it away.
  await service.database.query("update groups set kind = 'ORG_KIND_CUSTOMER' where uid = $1", [scope]);
  await well("snapshot", "--scope", scope, "--split", directory, "--yaml");
  const client = createClient({ baseUrl: service.url, token });
  const figures = { edits: 0, steps: 0, kills: 0, inFlight: 0, create: 0, update: 0, delete: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const plan = join(home, `round-${round}.json`);
    const files = new EditedFiles(directory, below);
    for (let edits = 0; edits < EDITS; edits += 1) files.edit(`r${round}-e${edits}`);
    figures.edits += EDITS;
    files.write();
    /* oxlint-disable no-await-in-loop -- round after round */
    await well("plan", directory, "--out", plan);
    const { steps } = planOf(plan);
    expect(steps.map(said).toSorted()).toEqual(files.expected.toSorted());

    const from = new Date().toISOString();
    // Every other time a step is done, and the command doesn't know. The journal begins with a line of its own, and has two for each step.
    const isLost = round % 2 === 1;
    const at = isLost ? { writes: 1 + below(steps.length) } : { lines: 2 + below(2 * steps.length - 1) };
    if (await killed(plan, at)) figures.kills += 1;
    const last = readFileSync(`${plan}.journal`, "utf8").trimEnd().split("\n").at(-1) ?? "";
    if (last.includes('"begun"')) figures.inFlight += 1;
    else expect(isLost).toBe(false);
    const done = await well("apply", plan, "--yes");
    expect(done.out).toContain(`${steps.length} of ${steps.length} steps are done.`);

    const uids = new Map<string, string>();
    for (const line of readFileSync(`${plan}.journal`, "utf8").split("\n")) {
      const { step, what } = JSON.parse(line || "{}") as {
        step?: string;
        what?: { as: string; uid?: string };
      };
      if (step !== undefined && what?.as === "done") uids.set(step, what.uid ?? "");
    }
    const logged: string[] = [];
    const query = { "uidp.descendants_of": scope, from };
    for await (const { action, outcome, record } of client.items(listAuditEntries, { query }))
      if (outcome === "OUTCOME_DONE" && /\.(?:create|update|delete)$/.test(action))
        logged.push(`${action} ${record?.uid}`);
    expect(logged.toSorted()).toEqual(
      steps.map(({ id, how, collection }) => `${collection}.${how} ${uids.get(id)}`).toSorted(),
    );
    for (const { how } of steps) figures[how] += 1;
    figures.steps += steps.length;

    const second = JSON.parse((await well("plan", directory, "-o", "json")).out) as { steps: PlanStep[] };
    expect(second.steps).toEqual([]);
    await well("snapshot", "--scope", scope, "--split", directory, "--yaml");
    /* oxlint-enable no-await-in-loop */
  }
  console.log(`edits with seed ${SEED}: ${JSON.stringify(figures)}`);
  expect(figures.kills).toBeGreaterThanOrEqual(ROUNDS - 2);
}, 1_800_000);
