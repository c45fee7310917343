import { afterAll, beforeAll, expect, test } from "vitest";

import { KEPT } from "platform-contract/events/pending";

import type { Database } from "../store/database";
import { openMigrated } from "../../testing/database";
import { endDelivery, putOff } from "./attempts";
import { storeFailure, storeSuccess } from "./queues";

const group = "a".repeat(40);
const uid = `${group}/${"1".repeat(16)}`;

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await database.query(
    "insert into groups (uid, name, created_at, updated_at) values ($1, 'a', now(), now())",
    [group],
  );
  await database.query(
    "insert into subscriptions (uid, parent, sink, created_at, updated_at) values ($1, $2, 'x', now(), now())",
    [uid, group],
  );
});
afterAll(() => database.close());

test("a sink works until it has failed as often in a row as it may, and rests longer with each failure", async () => {
  const at = new Date("2026-01-28T12:00:00.000Z");
  await database.query("insert into event_sinks (subscription_uid) values ($1)", [uid]);
  const fail = async () => {
    const known = await storeFailure(database, uid, { most: 3, at, rest: 100, longest: 2_000 });
    const { works, failures, restsUntil } = known!;
    return [works, failures, works ? restsUntil.getTime() : restsUntil.getTime() - at.getTime()];
  };
  await storeSuccess(database, uid);
  expect([await fail(), await fail()]).toEqual([
    [true, 1, 0],
    [true, 2, 0],
  ]);
  await storeSuccess(database, uid);
  expect([await fail(), await fail(), await fail(), await fail(), await fail()]).toEqual([
    [true, 1, 0],
    [true, 2, 0],
    [false, 3, 800],
    [false, 4, 1_600],
    [false, 5, 2_000],
  ]);
});

test("of many attempts the last ones are kept, while a delivery waits and when it has ended", async () => {
  const at = new Date("2026-01-28T12:00:00.000Z");
  await database.query(
    `insert into event_deliveries (subscription_uid, event_id, event, type, subject, next_at, created_at)
     values ($1, 'x', '{}', 'x', $1, $2, $2)`,
    [uid, at],
  );
  const held = { subscription: uid, id: "x", event: "{}", attempts: 1, since: at };
  const attempt = (status: number) => ({ time: at.toISOString(), milliseconds: 1, status });
  const kept = async (table: "event_deliveries" | "ended_deliveries") => {
    const [row] = await database.query<{ history: { status: number }[] }>(`select history from ${table}`);
    return row?.history.map(({ status }) => status);
  };
  const statuses = Array.from({ length: KEPT.attempts + 3 }, (_, index) => 500 + index);
  for (const status of statuses) await putOff(database, held, { next: at, attempt: attempt(status) });
  expect(await kept("event_deliveries")).toEqual(statuses.slice(-KEPT.attempts));
  await endDelivery(database, held, { state: "DELIVERY_STATE_DELIVERED", at, attempt: attempt(204) });
  expect(await kept("event_deliveries")).toBeUndefined();
  expect(await kept("ended_deliveries")).toEqual([...statuses.slice(1 - KEPT.attempts), 204]);
});
