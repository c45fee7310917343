import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog, together } from "./log";
import type { Database } from "./platform/store/database";
import { openMigrated } from "./testing/database";

let database: Database;
beforeAll(async () => (database = await openMigrated()));
afterAll(() => database.close());

/** Logs an error; returns the line. */
function written(error: unknown): { text: string; err: Record<string, unknown> } {
  let text = "";
  createLog("info", { write: (line: string) => void (text += line) }).error({ err: error }, "it failed");
  return { text, err: (JSON.parse(text) as { err: Record<string, unknown> }).err };
}

test("an error of the database is logged without the values that it was about", async () => {
  const insert = () =>
    database.query("insert into secrets (name, value) values ($1, $2)", ["a-name", "a-token"]);
  await insert();
  const { text, err } = written(await insert().catch((error: unknown) => error));
  expect(err).toMatchObject({
    code: "23505",
    table: "secrets",
    message: expect.stringContaining("duplicate key"),
  });
  expect(text).not.toMatch(/a-token|a-name/);
});

test("the cause of an error is told, and what is no error is not", () => {
  const { err } = written(new Error("outer", { cause: new TypeError("inner") }));
  expect(err).toMatchObject({
    type: "Error",
    message: "outer",
    cause: { type: "TypeError", message: "inner" },
  });
  expect(written({ token: "a-token" }).text).not.toContain("a-token");
});

test("lines are written together, and a warning at once with the lines before it", async () => {
  const writes: string[] = [];
  const log = pino({}, together({ write: (text) => void writes.push(text) }));
  log.info("one");
  log.info("two");
  expect(writes).toEqual([]);
  log.warn("three");
  const messages = (text = "") => [...text.matchAll(/"msg":"(\w+)"/g)].map(([, message]) => message);
  expect(writes.map(messages)).toEqual([["one", "two", "three"]]);
  log.info("four");
  while (writes.length < 2) await sleep(5);
  log.info("five");
  process.listeners("exit").at(-1)?.(0);
  expect(writes.map(messages)).toEqual([["one", "two", "three"], ["four"], ["five"]]);
});
