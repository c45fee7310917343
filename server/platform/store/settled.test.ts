import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { checkPassword, createAccount } from "../oidc/accounts";
import { resetPassword } from "../oidc/password-reset";
import { openMigrated } from "../../testing/database";
import { passwordsCost } from "../../testing/provider";
import { createCommand } from "../../commands/transfer/command";
import type { Database } from "./database";
import { Unsettled } from "./settled";

const config = { issuer: "https://platform.test/oidc" };
const ADA = { email: "ada@example.com", password: "the first password" };
const LOST = new Error("Connection terminated unexpectedly");

let database: Database;
beforeAll(async () => {
  passwordsCost("little");
  database = await openMigrated();
  await createAccount({ config, database }, ADA);
});
afterAll(() => database.close());

const arrival = () => ({ requestId: randomUUID(), address: "", transport: "command" }) as const;
const reset = (more: Partial<Database>) =>
  resetPassword({ config, database: { ...database, ...more } }, ADA.email, arrival());

test("a reset whose commit was not answered gives out the password that holds now", async () => {
  const password = await reset({
    transaction: async (work) => {
      await database.transaction(work);
      throw LOST;
    },
  });
  expect(await checkPassword(database, ADA.email, password ?? "")).toBeDefined();
  expect(await checkPassword(database, ADA.email, ADA.password)).toBeUndefined();
  // What was not done is not said to be done.
  await expect(reset({ transaction: () => Promise.reject(LOST) })).rejects.toBe(LOST);
  expect(await checkPassword(database, ADA.email, password ?? "")).toBeDefined();
});

test("if the database does not say either, neither does the command", async () => {
  let reads = 0;
  const failed = reset({
    // The account is still found.
    query: (sql, parameters) => ((reads += 1) > 1 ? Promise.reject(LOST) : database.query(sql, parameters)),
    transaction: () => Promise.reject(LOST),
  });
  await expect(failed).rejects.toThrow(Unsettled);
  let [code, said] = [0, ""];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said += String(text)), true));
  vi.spyOn(process, "exit").mockImplementation((status) => {
    code = Number(status);
    throw LOST;
  });
  const command = createCommand(
    { usage: "", failed: "Nothing was changed:" },
    async () => void (await failed),
  );
  await Promise.resolve(command.run([])).catch(() => {});
  vi.restoreAllMocks();
  expect(said).toBe(
    "Nobody knows whether it was done: Connection terminated unexpectedly. Look before you run it again.\n",
  );
  expect(code).toBe(3);
});
