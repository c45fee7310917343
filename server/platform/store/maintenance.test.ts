import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, test, vi } from "vitest";

import { BACKGROUND, forEach, type StepTold } from "../../background";
import { createLog } from "../../log";
import { openMigrated } from "../../testing/database";
import { createBackgroundTurns } from "../../turns";
import type { Database, Queries } from "./database";
import { scheduleSweep, sweep, vacuum } from "./maintenance";

const TURNS = createBackgroundTurns({ atOnce: 1, waiting: 10 });

test("a table that has grown gets new figures, one that has not keeps its own", async () => {
  const database = await openMigrated();
  const figures = async () =>
    (
      await database.query<{ n: number }>(
        "select reltuples::int as n from pg_class where relname in ('groups', 'roles') order by relname",
      )
    ).map(({ n }) => n);
  const [, roles] = await figures();
  await database.query(
    `insert into groups (uid, name, created_at, updated_at)
     select lpad(to_hex(n), 40, '0'), 'grown', now(), now() from generate_series(1, 1500) n`,
  );
  await vacuum(database);
  expect(await figures()).toEqual([1_500, roles]);
  await database.close();
});

test("expired invites of an organization with many do not delay those of others", async () => {
  const database = await openMigrated();
  const invite = (digit: string, count: number) =>
    database.query(
      `with made as (insert into groups (uid, name, created_at, updated_at) values ($1, $1, now(), now()) returning uid)
       insert into group_invites (uid, parent, role_uid, expires_at, code_hash, created_at, updated_at)
       select uid || '/' || lpad(to_hex(n), 16, '0'), uid, 'role', now() - interval '31 days', $1 || n, now(), now()
       from made, generate_series(1, $2::int) n`,
      [digit.repeat(40), count],
    );
  // In the order of their uids.
  await invite("a", 950);
  await invite("b", 3);
  const removed: string[] = [];
  const noted: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((queries) =>
        work({
          query: async (sql, parameters) => {
            const rows = await queries.query(sql, parameters);
            if (sql.startsWith("delete from group_invites"))
              removed.push(`${String(parameters?.[1])[0]} ${rows.length}`);
            return rows as never;
          },
        }),
      ),
  };
  await sweep(noted);
  expect(removed.slice(0, 2)).toEqual(["a 100", "b 3"]);
  expect(removed).toHaveLength(11);
  expect(await database.query("select 1 from group_invites")).toEqual([]);
  await database.close();
});

/** A database in which statements that contain a text fail. */
function failingAt(database: Database, texts: readonly string[]): Database {
  const guarded = (queries: Queries): Queries => ({
    query: (sql, parameters) =>
      texts.some((text) => sql.includes(text))
        ? Promise.reject(new Error("deliberate"))
        : queries.query(sql, parameters),
  });
  return {
    ...database,
    ...guarded(database),
    transaction: (work) => database.transaction((queries) => work(guarded(queries))),
  };
}

test("a step of a sweep that fails is logged and told, and stops no other", async () => {
  const database = await openMigrated();
  await database.query(
    `insert into idempotency_keys (id, digest, sealed, created_at) values ('k', '', '', now() - interval '2 days')`,
  );
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const told: StepTold[] = [];
  const note = (message: unknown) => void told.push(message as StepTold);
  subscribe(BACKGROUND, note);
  const broken = failingAt(database, ["group_invites", "pending_accounts"]);
  const scheduled = (over: Database) =>
    scheduleSweep({ ...over, close: () => Promise.resolve() }, { log, turns: TURNS, auditDays: 1 });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const service = scheduled(broken);
    const steps = told.splice(0).map(({ step, result }) => {
      expect(result).toBe("planned");
      return step;
    });
    vi.advanceTimersByTime(300_000);
    await expect.poll(() => told.length).toBe(steps.length);
    await service.close();
    const failed = told.filter(({ result }) => result === "failed").map(({ step }) => step);
    expect(failed).toEqual(["invites", "pending-accounts"]);
    expect(told.map(({ step }) => step)).toEqual(steps);
    expect(lines).toMatchObject(
      failed.map((step) => ({
        level: 50,
        step,
        failures: 1,
        msg: "background work failed",
        err: { message: "deliberate" },
      })),
    );
    expect(await database.query("select 1 from idempotency_keys")).toEqual([]);
  } finally {
    vi.useRealTimers();
    unsubscribe(BACKGROUND, note);
    await database.close();
  }
});

test("what fails for one organization or table is done for the others", async () => {
  const done: number[] = [];
  const each = forEach([1, 2, 3], async (item) => {
    if (item === 1) throw new Error("deliberate");
    // Long after the first has failed.
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
  });
  await expect(each).rejects.toThrow("deliberate");
  expect(done).toEqual([2, 3]);
});
