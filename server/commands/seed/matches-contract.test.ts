import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "../../config";
import type { Database } from "../../platform/store/database";
import { ensureBuiltInRoles } from "../../domains/access/roles.table";
import { openMigrated } from "../../testing/database";
import { seedDemo } from "./demo";
import { assertMatchesContract } from "./matches-contract";

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await ensureBuiltInRoles(database);
});
afterAll(() => database.close());

test("the demo matches the contract", async () => {
  const config = readConfig({ SEED: "demo", PUBLIC_URL: "http://127.0.0.1:8080" });
  expect(await seedDemo(config, database, "owner")).not.toEqual([]);
  const [root] = await database.query<{ uid: string }>("select uid from groups where parent is null");
  const organization = root?.uid ?? "";
  await assertMatchesContract(database, organization);
  await database.query("update groups set name = 'go' where uid = $1", [organization]);
  await expect(assertMatchesContract(database, organization)).rejects.toThrow(
    "The group go breaks the contract: name must be 3 to 63 characters long",
  );
});
