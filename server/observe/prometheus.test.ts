import { afterAll, beforeAll, expect, test } from "vitest";

import { OverGrpc } from "../testing/over-grpc";
import { startService, type TestService } from "../testing/service";

let service: TestService;
beforeAll(async () => {
  service = await startService({ METRICS_PORT: "0" });
});
afterAll(() => service.stop());

const scrape = async (): Promise<string> => (await fetch(service.metricsUrl!)).text();

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

test("stands on a port of its own, on this machine alone, and not on that of the service", async () => {
  expect(new URL(service.metricsUrl!).hostname).toBe("127.0.0.1");
  expect(new URL(service.metricsUrl!).port).not.toBe(new URL(service.url).port);
  expect((await service.call("GET", "/metrics", { headers: { accept: "text/plain" } })).status).toBe(404);
});
