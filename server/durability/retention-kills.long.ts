import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPostgres } from "../platform/store/postgres";
import { freePort } from "../testing/app";
import { startBuilt, type BuiltService } from "../testing/built-service";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { Api } from "./writers";

const SECRET = "secret-of-automation-in-tests";
/** So many that a run takes several transactions in each of several repos. */
const REPOS = 8;
const TAGS = 1_500;
const KILLS = 6;

let directory: string;
let postgres: OwnPostgres;
let service: BuiltService;
let variables: Record<string, string>;
let api: Api;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "retention-kills-"));
  postgres = await ownPostgres();
  variables = {
    PORT: String(await freePort()),
    DATABASE_URL: postgres.url,
    DATA_DIR: path.join(directory, "data"),
    SEED: "none",
    AUTOMATION_CLIENT_SECRET: SECRET,
    LOG_LEVEL: "info",
  };
  service = await startBuilt(variables);
  api = new Api(service.url, SECRET);
  await api.signIn();
});
afterAll(async () => {
  await service?.end("SIGTERM");
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

const call = async (method: string, address: string, body?: unknown) => {
  const { status, json } = await api.call(method, `../../${address}`, body);
  if (status !== 200) throw new Error(`${method} ${address}: ${status} ${JSON.stringify(json)}`);
  return json;
};

test("a run that is killed again and again goes on: each tag is deleted, logged and reported once", async () => {
  const database = await openPostgres(postgres.url);
  const { uid: organization } = await call("POST", "iam/v2/groups", { name: "acme" });
  for (let index = 0; index < REPOS; index += 1) {
    const { uid } = await call("POST", `registry/v2/repos/${organization}`, { name: `repo-${index}` });
    await database.query(
      `insert into tags (uid, parent, name, digest, deprecated, bundles, family, created_at, updated_at)
       select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 't' || n, 'sha256:' || repeat('a', 64), false, '{}', '',
         now() - interval '90 days', now() - interval '90 days' from generate_series(1, $2::int) n`,
      [uid, TAGS],
    );
    await database.query("insert into tag_counts (uid, plain) values ($1, $2)", [uid, TAGS]);
    await call("POST", `registry/v2/tags/${uid}`, { name: "young", digest: `sha256:${"b".repeat(64)}` });
  }
  await call("POST", `registry-retention/v1/rules/${organization}`, { olderThanDays: 30 });
  const { previewToken, version, deletions } = await call(
    "GET",
    `registry-retention/v1/rules/${organization}/decisions`,
  );
  expect(deletions).toBe(REPOS * TAGS);
  await call("POST", `registry-retention/v1/rules/${organization}:confirm`, { previewToken, version });

  const deleted = async () =>
    (await database.query<{ n: number }>("select count(*)::int as n from retention_deletions"))[0]!.n;
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await deleted();
    const until = Date.now() + 120_000;
    while ((await deleted()) === before && Date.now() < until) await sleep(20);
    await service.end("SIGKILL");
    const now = await deleted();
    if (now > 0 && now < REPOS * TAGS) interrupted += 1;
    // The dead process holds the lease for a minute.
    await database.query("delete from audit_forward_leases");
    service = await startBuilt(variables);
  }
  expect(interrupted).toBeGreaterThan(1);
  const until = Date.now() + 240_000;
  let runs: any[] = [];
  while (Date.now() < until && !runs[0]?.endTime) {
    await sleep(500);
    ({ retentionRuns: runs } = await call("GET", "registry-retention/v1/runs"));
  }
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ repos: REPOS, deletions: REPOS * TAGS, kept: REPOS, failures: 0 });
  const { totalCount } = await call("GET", `registry/v2/tags?uidp.descendants_of=${organization}`);
  expect(totalCount).toBe(String(REPOS));
  const [entries] = await database.query<{ all: number; tags: number }>(
    `select count(*)::int as all, count(distinct entry::jsonb->'record'->>'uid')::int as tags
     from audit_entries where action = 'service.deleted' and kind = 'tags'`,
  );
  expect(entries).toEqual({ all: REPOS * TAGS, tags: REPOS * TAGS });
  const counts = await database.query("select 1 from tag_counts where plain <> 1 and uid like $1 || '%'", [
    organization,
  ]);
  expect(counts).toEqual([]);
  await database.close();
}, 900_000);
