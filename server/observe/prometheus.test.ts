import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { tellMail } from "../mails";
import { openSignIn, signUp } from "../oidc/testing";
import { version } from "../package.json";
import { OverGrpc } from "../testing/over-grpc";
import { startService, type TestService } from "../testing/service";

let service: TestService;
beforeAll(async () => {
  // Nothing listens there: its entries wait.
  const forward = { AUDIT_FORWARD: "syslog+tcp://127.0.0.1:9" };
  service = await startService({ METRICS_PORT: "0", SIGN_UP: "open", ...forward });
});
afterAll(() => service.stop());

const scrape = async (): Promise<string> => (await fetch(service.metricsUrl!)).text();

// First: the figures of the database are kept for some seconds.
test("says how sign-ins ended, what waits, and which version runs", async () => {
  const subject = "metrics@demo.example";
  const page = await openSignIn(service.url);
  await page.browser.submit(page.page.url, { email: subject, password: "not-the-password" });
  await signUp(service.url, { email: subject, password: "a-good-password" });
  await service.database.query(
    `insert into event_deliveries (subscription_uid, event_id, event, next_at, created_at)
     values ('s', 'e', '{}', now(), now() - interval '90 seconds')`,
  );
  await service.database.query(
    `insert into mail_outbox (uid, kind, address, facts, next_at, expires_at, created_at) values
       ('m', 'reset', 'secret@demo.example', '{}', now(), now(), now() - interval '90 seconds')`,
  );
  tellMail({ kind: "reset", result: "delayed" });
  const text = await scrape();
  expect(text).toMatch(/^platform_mails_total\{kind="reset",result="delayed"\} 1$/m);
  expect(text).toMatch(/^platform_mails_waiting 1$/m);
  expect(text).toMatch(/^platform_mails_oldest_seconds 9\d(?:\.\d+)?$/m);
  expect(text).toMatch(
    new RegExp(`^platform_build_info\\{version="${version}",node="${process.versions.node}"\\} 1$`, "m"),
  );
  expect(text).toMatch(/^platform_sign_ins_total\{act="signIn.password",result="refused"\} 1$/m);
  expect(text).toMatch(/^platform_sign_ins_total\{act="signUp",result="done"\} 1$/m);
  expect(text).toMatch(/^platform_queue_calls\{queue="callers",state="waiting"\} 0$/m);
  expect(text).toMatch(/^platform_events_pending 1$/m);
  expect(text).toMatch(/^platform_events_oldest_seconds 9\d(?:\.\d+)?$/m);
  expect(text).toMatch(/^platform_audit_forward_lag_entries\{target="1",kind="syslog"\} [1-9]\d*$/m);
  for (const secret of [subject, "127.0.0.1:9", "secret@demo.example"]) expect(text).not.toContain(secret);
});

test("says how many calls ended how, over which transport, and nothing of whose they were", async () => {
  const token = await service.token("secret-subject");
  const name = "a name that is nobody's business";
  const made = await service.call("POST", "/iam/v2/groups", { token, body: { name } });
  const { uid } = made.json as unknown as { uid: string };
  await service.call("GET", "/iam/v2/groups/nothing", { token });
  const asked = { variables: { uid }, query: {}, body: undefined };
  await new OverGrpc(service.url).send(token, "groups.get", asked);
  const text = await scrape();
  const count = (labels: string) =>
    new RegExp(`^platform_operation_duration_seconds_count\\{${labels}\\} 1$`, "m");
  expect(text).toMatch(count('operation="groups.create",transport="http",code="OK"'));
  expect(text).toMatch(count('operation="groups.get",transport="http",code="INVALID_ARGUMENT"'));
  expect(text).toMatch(count('operation="groups.get",transport="grpc",code="OK"'));
  expect(text).toMatch(/^platform_operations_running 0$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  for (const secret of [token, uid, name, "secret-subject"]) expect(text).not.toContain(secret);
});

test("dashboard and alert rules name only metrics that there are", async () => {
  const text = await scrape();
  const there = new Set([...text.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name]) => name));
  // Only with PostgreSQL.
  there.add("platform_database_connections");
  for (const file of ["prometheus/alerts.yaml", "grafana/platform-console.json"]) {
    const source = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");
    const named = [...source.matchAll(/\b((?:platform|nodejs|process)_\w+)\b/g)].map(([, name = ""]) =>
      name.replace(/_(?:bucket|count|sum)$/, ""),
    );
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) expect([...there], file).toContain(name);
  }
});

test("the dashboard has a panel for every metric of the service", async () => {
  const names = [...(await scrape()).matchAll(/^# TYPE (platform_\w+) \w+$/gm)].map(([, name = ""]) => name);
  const dashboard = readFileSync(
    new URL("../../deploy/grafana/platform-console.json", import.meta.url),
    "utf8",
  );
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !dashboard.includes(name))).toEqual([]);
});

test("stands on a port of its own, on this machine alone, and not on that of the service", async () => {
  expect(new URL(service.metricsUrl!).hostname).toBe("127.0.0.1");
  expect(new URL(service.metricsUrl!).port).not.toBe(new URL(service.url).port);
  expect((await service.call("GET", "/metrics", { headers: { accept: "text/plain" } })).status).toBe(404);
});
