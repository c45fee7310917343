import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog } from "../../log";
import { start } from "../../start";
import type { Database } from "../../platform/store/database";
import { placeFor } from "../../testing/database";
import { passwordsCost } from "../../testing/provider";
import { startService } from "../../testing/service";
import { ORGANIZATION } from "./demo-data";

let directory: string;
let place: Awaited<ReturnType<typeof placeFor>>;
beforeAll(async () => {
  passwordsCost("little");
  directory = await mkdtemp(join(tmpdir(), "platform-second-start-"));
  place = await placeFor(directory);
});
afterAll(async () => {
  await place.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Milliseconds for several starts of the whole service, on a machine that does other things too. */
const STARTS = 120_000;
const SECRET = { AUTOMATION_CLIENT_SECRET: "a secret of automation" };

/** Starts, works on the database, and stops. */
async function during<T>(
  variables: Readonly<Record<string, string>>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const service = await start(
    {
      PORT: "0",
      PUBLIC_URL: "http://127.0.0.1:8080",
      DATA_DIR: directory,
      ...place.variables,
      SEED: "demo",
      ...variables,
    },
    { log: createLog("silent"), consoleDirectory: "/nonexistent/dist" },
  );
  try {
    return await work(service.database);
  } finally {
    await service.stop();
  }
}

/** The transaction that last wrote each row, with the row, by table. */
async function versions(database: Database): Promise<Record<string, unknown[]>> {
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables)
    // oxlint-disable-next-line no-await-in-loop -- one query per table
    found[name] = await database.query(
      `select t.xmin::text as written, t::text as row from ${name} t order by 1, 2`,
    );
  return found;
}

const automation = (database: Database) =>
  database.query(
    `select i.name, i.parent = b.parent as "inOrganization", r.name as role from role_bindings b
     join identities i on i.uid = b.identity_uid join roles r on r.uid = b.role_uid where i.subject = 'automation'`,
  );

test(
  "a second start changes no row of any table",
  async () => {
    const first = await during(SECRET, versions);
    expect(first["role_bindings"]!.length).toBeGreaterThan(100);
    const second = await during(SECRET, versions);
    for (const [table, rows] of Object.entries(first)) expect([table, second[table]]).toEqual([table, rows]);
  },
  STARTS,
);

test("automation is a machine of the organization while it has a secret, and nothing after", async () => {
  expect(await during(SECRET, automation)).toEqual([
    { name: "automation", inOrganization: true, role: "owner" },
  ]);
  expect(await during({}, automation)).toEqual([]);
  expect(
    await during({}, (database) =>
      database.query("select 1 from identities where subject = 'automation' and parent is not null"),
    ),
  ).toEqual([]);
  const logged = await during({}, (database) =>
    database.query<{ entry: string }>(
      "select entry from audit_entries where kind = 'roleBindings' and entry like '%\"change\":\"deleted\"%'",
    ),
  );
  expect(logged.map(({ entry }) => JSON.parse(entry) as unknown)).toMatchObject([
    { record: { name: "automation" } },
  ]);
  expect(await during(SECRET, automation)).toHaveLength(1);
  const service = await startService({ DATA_DIR: directory, ...place.variables, SEED: "demo", ...SECRET });
  try {
    const token = await service.token("automation");
    const { json } = await service.call("GET", "/iam/v2/groups?uidp.in_root=true", { token });
    expect(json["groups"]).toMatchObject([{ name: ORGANIZATION }]);
  } finally {
    await service.stop();
  }
});
