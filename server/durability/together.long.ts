import { afterAll, beforeAll, expect, test } from "vitest";

import { openPostgres } from "../platform/store/postgres";
import { startBuilt } from "../testing/built-service";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";

let server: OwnPostgres;
beforeAll(async () => {
  server = await ownPostgres();
});
afterAll(() => server.stop());

test("several processes that start at once on one empty PostgreSQL all come up, on one organization", async () => {
  const variables = {
    DATABASE_URL: server.url,
    PORT: "0",
    PUBLIC_URL: "http://127.0.0.1:8080",
    SEED: "demo",
    AUTOMATION_CLIENT_SECRET: "together-0123456789",
  };
  const services = await Promise.all([startBuilt(variables), startBuilt(variables), startBuilt(variables)]);
  for (const service of services) expect(await service.end("SIGTERM")).toBe(0);
  const database = await openPostgres(server.url);
  expect(await database.query("select count(*) from groups where parent is null")).toEqual([{ count: 1 }]);
  await database.close();
});
