import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { createSteps } from "../../background";
import { createLog } from "../../log";
import { tellMail } from "../../mails";
import { openSignIn, signUp } from "../oidc/testing";
import { version } from "../../package.json";
import { OverGrpc } from "../../testing/over-grpc";
import { startService, type TestService } from "../../testing/service";

let service: TestService;
beforeAll(async () => {
  // Nothing listens there: its entries wait.
  const forward = { AUDIT_FORWARD: "syslog+tcp://127.0.0.1:9" };
  service = await startService({ METRICS_PORT: "0", SIGN_UP: "open", ...forward });
});
afterAll(() => service.stop());

const scrape = async (): Promise<string> => (await fetch(service.metricsUrl!)).text();

/** Milliseconds that the clock was put forward. */
let ahead = 0;

/** A scrape after the time for which the figures of the database are kept. */
async function scrapeLater(): Promise<string> {
  ahead += 60_000;
  const now = performance.now() + ahead;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  try {
    return await scrape();
  } finally {
    clock.mockRestore();
  }
}

/** The value of a metric; 0 if it has none. */
function valueOf(text: string, metric: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return Number(line?.slice(metric.length + 1) ?? 0);
}

/** The differences that `act` makes to the metrics. */
async function changes(metrics: readonly string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape();
  await act();
  const after = await scrape();
  return metrics.map((metric) => valueOf(after, metric) - valueOf(before, metric));
}

const AGE_S = 90;

test("says how many events and mails wait, since when, and how far the log's copies are behind", async () => {
  const { database } = service;
  const since = Date.now();
  await database.query(
    `insert into event_deliveries (subscription_uid, event_id, event, next_at, created_at)
     values ('s', 'e', '{}', now(), now() - interval '${AGE_S} seconds')`,
  );
  await database.query(
    `insert into mail_outbox (uid, kind, address, facts, next_at, expires_at, created_at) values
       ('m', 'reset', 'secret@demo.example', '{}', now(), now(), now() - interval '${AGE_S} seconds')`,
  );
  await database.query(
    `insert into idempotency_keys (id, digest, sealed, created_at)
     values ('k', '', '', now() - interval '${AGE_S} seconds')`,
  );
  const token = await service.token("behind");
  await service.call("POST", "/iam/v2/groups", { token, body: { name: "behind" } });
  const text = await scrapeLater();
  const most = AGE_S + Math.ceil((Date.now() - since) / 1_000);
  for (const kind of ["events", "mails", "idempotency_keys"]) {
    expect(valueOf(text, `platform_${kind}_oldest_seconds`)).toBeGreaterThanOrEqual(AGE_S);
    expect(valueOf(text, `platform_${kind}_oldest_seconds`)).toBeLessThanOrEqual(most);
  }
  expect(valueOf(text, "platform_events_pending")).toBe(1);
  expect(valueOf(text, "platform_mails_waiting")).toBe(1);
  const [heads] = await database.query<{ entries: number }>(
    "select sum(sequence)::int as entries from audit_heads",
  );
  expect(heads?.entries).toBeGreaterThan(0);
  expect(valueOf(text, 'platform_audit_forward_lag_entries{target="1",kind="syslog"}')).toBe(heads?.entries);
  const [first] = await database.query<{ age: number }>(
    "select extract(epoch from now() - min(created_at))::float8 as age from audit_entries",
  );
  expect(first?.age).toBeGreaterThan(0);
  const late = valueOf(text, 'platform_audit_forward_oldest_seconds{target="1",kind="syslog"}');
  expect(late).toBeGreaterThan(0);
  expect(late).toBeLessThanOrEqual(first?.age ?? 0);
  for (const secret of ["127.0.0.1:9", "secret@demo.example"]) expect(text).not.toContain(secret);

  // Scrapes in quick succession cost the database one read.
  await database.query("delete from event_deliveries");
  await database.query("delete from mail_outbox");
  expect(valueOf(await scrape(), "platform_events_pending")).toBe(1);
  expect(valueOf(await scrapeLater(), "platform_events_pending")).toBe(0);
});

test("says how sign-ins and mails ended, and which version runs", async () => {
  const subject = "metrics@demo.example";
  const metrics = [
    'platform_sign_ins_total{act="signIn.password",result="refused"}',
    'platform_sign_ins_total{act="signUp",result="done"}',
    'platform_mails_total{kind="reset",result="delayed"}',
  ];
  const told = await changes(metrics, async () => {
    const page = await openSignIn(service.url);
    await page.browser.submit(page.page.url, { email: subject, password: "not-the-password" });
    await signUp(service.url, { email: subject, password: "a-good-password" });
    tellMail({ kind: "reset", result: "delayed" });
  });
  expect(told).toEqual([1, 1, 1]);
  const text = await scrape();
  expect(valueOf(text, `platform_build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1);
  expect(text).toMatch(/^platform_queue_calls\{queue="callers",state="waiting"\} 0$/m);
  expect(text).not.toContain(subject);
});

test("says how many calls ended how, over which transport, and nothing of whose they were", async () => {
  const token = await service.token("secret-subject");
  const name = "a name that is nobody's business";
  let uid = "";
  const counts = [
    'operation="groups.create",transport="http",code="OK"',
    'operation="groups.get",transport="http",code="INVALID_ARGUMENT"',
    'operation="groups.get",transport="grpc",code="OK"',
  ].map((labels) => `platform_operation_duration_seconds_count{${labels}}`);
  const told = await changes(counts, async () => {
    const made = await service.call("POST", "/iam/v2/groups", { token, body: { name } });
    ({ uid } = made.json as unknown as { uid: string });
    await service.call("GET", "/iam/v2/groups/nothing", { token });
    const asked = { variables: { uid }, query: {}, body: undefined };
    await new OverGrpc(service.url).send(token, "groups.get", asked);
  });
  expect(told).toEqual([1, 1, 1]);
  const text = await scrape();
  expect(text).toMatch(/^platform_operations_running 0$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  for (const secret of [token, uid, name, "secret-subject"]) expect(text).not.toContain(secret);
});

test("dashboard and alert rules name only metrics that there are", async () => {
  const text = await scrape();
  const there = new Set([...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name));
  // Only with one of the two databases.
  for (const name of [
    "platform_database_connections",
    "platform_disk_free_bytes",
    "platform_disk_free_inodes",
  ])
    there.add(name);
  for (const file of ["prometheus/alerts.yaml", "grafana/platform-console.json"]) {
    const source = readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8");
    const named = [...source.matchAll(/\b((?:platform|nodejs|process)_\w+)\b/g)].map(([, name = ""]) =>
      name.replace(/_(?:bucket|count|sum)$/, ""),
    );
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) expect([...there], file).toContain(name);
  }
});

/** Under these names other services' dashboards show them. */
const RUNTIME = `
  nodejs_active_resources gauge, nodejs_active_resources_total gauge, nodejs_eventloop_lag_max_seconds gauge,
  nodejs_eventloop_lag_mean_seconds gauge, nodejs_eventloop_lag_min_seconds gauge, nodejs_eventloop_lag_p50_seconds gauge,
  nodejs_eventloop_lag_p90_seconds gauge, nodejs_eventloop_lag_p99_seconds gauge, nodejs_eventloop_lag_seconds gauge,
  nodejs_eventloop_lag_stddev_seconds gauge, nodejs_external_memory_bytes gauge, nodejs_gc_duration_seconds histogram,
  nodejs_heap_size_total_bytes gauge, nodejs_heap_size_used_bytes gauge, nodejs_heap_space_size_available_bytes gauge,
  nodejs_heap_space_size_total_bytes gauge, nodejs_heap_space_size_used_bytes gauge, nodejs_version_info gauge,
  process_cpu_seconds_total counter, process_cpu_system_seconds_total counter, process_cpu_user_seconds_total counter,
  process_heap_bytes gauge, process_max_fds gauge, process_open_fds gauge, process_resident_memory_bytes gauge,
  process_start_time_seconds gauge, process_virtual_memory_bytes gauge`;

test.runIf(process.platform === "linux")("says of the process what Prometheus's clients do", async () => {
  const begin = performance.timeOrigin / 1_000;
  await vi.waitFor(async () => expect(await scrape()).toContain("nodejs_gc_duration_seconds"));
  const answer = await fetch(service.metricsUrl!);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const types = [...text.matchAll(/^# TYPE ((?:nodejs|process)_\w+ \w+)$/gm)].map(([, type]) => type);
  expect(types.toSorted()).toEqual(RUNTIME.split(",").map((one) => one.trim()));
  expect(text).not.toMatch(/otel_|target_info|# UNIT/);
  const memory = valueOf(text, "process_resident_memory_bytes");
  expect(memory / process.memoryUsage.rss()).toBeGreaterThan(0.5);
  expect(valueOf(text, "process_virtual_memory_bytes")).toBeGreaterThan(memory);
  expect(valueOf(text, "process_open_fds")).toBeGreaterThan(3);
  expect(valueOf(text, "process_max_fds")).toBeGreaterThan(valueOf(text, "process_open_fds"));
  expect(Math.abs(valueOf(text, "process_start_time_seconds") - begin)).toBeLessThan(10);
  expect(valueOf(text, "process_cpu_seconds_total")).toBeGreaterThan(0.1);
  expect(text).toMatch(/^nodejs_gc_duration_seconds_bucket\{kind="\w+",le="\+Inf"\} \d+$/m);
  expect(text).toMatch(/^nodejs_heap_space_size_used_bytes\{space="old"\} \d+$/m);
});

test("the dashboard has a panel for every metric of the service", async () => {
  const names = [...(await scrape()).matchAll(/^# TYPE (platform_\w+) \w+$/gm)].map(([, name = ""]) => name);
  const dashboard = readFileSync(
    new URL("../../../deploy/grafana/platform-console.json", import.meta.url),
    "utf8",
  );
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !dashboard.includes(name))).toEqual([]);
});

test("says when each step of regular work last succeeded, and how often it failed", async () => {
  const [steps, failing] = [["metrics-one", "metrics-other"], "metrics-other"];
  const run = createSteps(createLog("silent"), steps);
  const last = (step: string) => `platform_background_last_success_timestamp_seconds{step="${step}"}`;
  const planned = await scrape();
  for (const step of [...steps, "invites", "idempotency-keys", "deliveries", "delivery-queues"])
    expect(planned).toContain(last(step));
  await run("metrics-one", () => Promise.resolve());
  await run(failing, () => Promise.reject(new Error("deliberate")));
  const text = await scrape();
  expect(Date.now() / 1_000 - valueOf(text, last("metrics-one"))).toBeLessThan(60);
  expect(valueOf(text, last(failing))).toBe(0);
  expect(valueOf(text, `platform_background_failures_total{step="${failing}"}`)).toBe(1);
  expect(valueOf(text, 'platform_background_failures_total{step="metrics-one"}')).toBe(0);
});

test("stands on a port of its own, on this machine alone, and not on that of the service", async () => {
  expect(new URL(service.metricsUrl!).hostname).toBe("127.0.0.1");
  expect(new URL(service.metricsUrl!).port).not.toBe(new URL(service.url).port);
  expect((await service.call("GET", "/metrics", { headers: { accept: "text/plain" } })).status).toBe(404);
});
