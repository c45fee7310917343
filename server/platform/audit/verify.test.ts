import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { Ground } from "../../conformance/ground";
import type { Person, World } from "../../conformance/world";
import { readWhole, writeTogether } from "../../commands/ingest/ingest";
import { sweepAudit } from "../store/audit";
import type { Queries } from "../store/database";
import { verifyLog } from "./verify";

let world: World;
let owner: Person;
let organization: string;
let uid: string;

beforeAll(async () => {
  const ground = await Ground.open();
  ({ world, owner, organization } = ground);
  for (let i = 0; i < 20; i++) uid = await ground.create("repos", organization, { name: `repo-${i}` });
});
afterAll(() => world.service.stop());

const ROLLED_BACK = new Error("rolled back");

/** Changes the log as someone with the database would, verifies it, and undoes the change. */
async function faultsAfter(change: (queries: Queries) => Promise<unknown>) {
  let found: readonly unknown[] = [];
  await world.service.database
    .transaction(async (queries) => {
      await queries.query("alter table audit_entries disable trigger all");
      await change(queries);
      const { faults } = await verifyLog(queries);
      found = faults
        .filter(({ chain }) => chain === organization)
        .map(({ sequence, problem }) => [sequence, problem]);
      throw ROLLED_BACK;
    })
    .catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
  return found;
}

const chained = "chain = $1 and sequence";

beforeEach(async () => {
  expect((await verifyLog(world.service.database)).faults).toEqual([]);
});

test("an entry that was changed is found, also if only its columns were", async () => {
  const changed = (sql: string) => faultsAfter((queries) => queries.query(sql, [organization]));
  expect(
    await changed(`update audit_entries set entry = replace(entry, 'owner', 'other') where ${chained} = 10`),
  ).toEqual([[10, "it was changed"]]);
  expect(await changed(`update audit_entries set actor_uid = null where ${chained} = 10`)).toEqual([
    [10, "its columns were changed: actor_uid"],
  ]);
  expect(
    await changed(
      `update audit_entries set created_at = created_at - interval '1 day' where ${chained} = 10`,
    ),
  ).toEqual([
    [10, "it was changed"],
    [10, "it is not found by what it is about"],
  ]);
  // With a new hash, the next entry does not follow.
  expect(
    await changed(`update audit_entries set entry = replace(entry, 'owner', 'other'), hash = repeat('0', 64)
      where ${chained} = 10`),
  ).toEqual([
    [10, "it was changed"],
    [11, "it does not follow the entry before it"],
  ]);
});

test("a reason that was changed, removed or added later is found", async () => {
  const named = async (name: string, headers: Readonly<Record<string, string>>) => {
    const path = `/iam/v2/groups/${organization}`;
    const answer = await world.service.call("POST", path, { token: owner.token, headers, body: { name } });
    expect(answer.status).toBe(200);
    const [head] = await world.service.database.query<{ sequence: number }>(
      "select sequence from audit_heads where chain = $1",
      [organization],
    );
    return head!.sequence;
  };
  const given = await named("explained", { "change-justification": "Ticket%204711" });
  const none = await named("as before there were reasons", {});
  expect((await verifyLog(world.service.database)).faults).toEqual([]);
  const edited = (sequence: number, edit: string) =>
    faultsAfter((queries) =>
      queries.query(`update audit_entries set entry = (${edit})::text where ${chained} = $2`, [
        organization,
        sequence,
      ]),
    );
  expect(await edited(given, "replace(entry, '4711', '4712')")).toEqual([[given, "it was changed"]]);
  expect(await edited(given, `replace(entry, '"justification":"Ticket 4711",', '')`)).toEqual([
    [given, "it was changed"],
  ]);
  expect(await edited(none, `regexp_replace(entry, '^\\{', '{"justification":"because",')`)).toEqual([
    [none, "it was changed"],
  ]);
});

test("an entry that was removed is found, also the last one", async () => {
  const without = (from: number) =>
    faultsAfter((queries) =>
      queries.query(`delete from audit_entries where ${chained} >= $2 and sequence < $2 + 2`, [
        organization,
        from,
      ]),
    );
  expect(await without(10)).toEqual([[12, "2 entries before it are missing"]]);
  const [head] = await world.service.database.query<{ sequence: number }>(
    "select sequence from audit_heads where chain = $1",
    [organization],
  );
  expect(await without(head!.sequence - 1)).toEqual([[head!.sequence, "the chain does not end at its head"]]);
  expect(
    await faultsAfter((queries) => queries.query("delete from audit_subjects where record_uid = $1", [uid])),
  ).toHaveLength(1);
});

test("entries that were swapped are found", async () => {
  const faults = await faultsAfter(async (queries) => {
    await queries.query(`update audit_entries set sequence = -1 where ${chained} = 10`, [organization]);
    await queries.query(`update audit_entries set sequence = 10 where ${chained} = 11`, [organization]);
    await queries.query(`update audit_entries set sequence = 11 where ${chained} = -1`, [organization]);
  });
  expect(faults).toContainEqual([10, "it was changed"]);
  expect(faults).toContainEqual([11, "it was changed"]);
});

test("no statement changes or removes an entry, and none empties the log", async () => {
  const { database } = world.service;
  for (const sql of [
    "update audit_entries set action = 'nothing'",
    "delete from audit_entries",
    "truncate audit_entries",
  ])
    await expect(database.query(sql)).rejects.toThrow("the audit log is append-only");
});

test("retention removes the oldest entries; what is left verifies, and its totals are right", async () => {
  const { database } = world.service;
  const turns = (_: string, work: () => Promise<boolean>) => work();
  await sweepAudit(database, 1, turns);
  const list = () => world.make(owner, "auditEntries.list", { query: { page_size: "200" } });
  const whole = await list();
  // Nothing is that old.
  expect(whole["auditEntries"].at(-1).sequence).toBe("1");
  const middle = whole["auditEntries"][10];
  const age = (Date.now() - Date.parse(middle.createTime)) / 86_400_000;
  await sweepAudit(database, age, turns);
  const { faults } = await verifyLog(database);
  expect(faults).toEqual([]);
  const left = await list();
  expect(left["auditEntries"].length).toBeLessThanOrEqual(11);
  expect(left["totalCount"]).toBe(String(left["auditEntries"].length));
  // What follows continues the chain.
  await world.create(owner, "repos", organization, { name: "after" });
  expect((await verifyLog(database)).faults).toEqual([]);
  expect(Number((await list())["auditEntries"][0].sequence)).toBeGreaterThan(20);
});

test("an import by command is an entry of its group", async () => {
  const target = { group: organization, digest: undefined };
  const record = {
    id: "CVE-2026-1",
    modified: "2026-01-01T00:00:00Z",
    affected: [{ package: { ecosystem: "Alpine:v3.20", name: "curl" }, versions: ["1"] }],
  };
  await writeTogether(world.service.database, target, [
    await readWhole(Buffer.from(JSON.stringify(record)), target),
  ]);
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query: { action: "ingest" } });
  expect(auditEntries).toMatchObject([
    { record: { kind: "groups", uid: organization }, request: { transport: "command" } },
  ]);
  expect((await verifyLog(world.service.database)).faults).toEqual([]);
});
