import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { startBuilt } from "../../testing/built-service";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** A fake collector that records what each of its paths receives. */
async function startCollector() {
  const received: Record<string, Buffer[]> = {};
  const read = async (request: IncomingMessage) => {
    for await (const chunk of request) (received[request.url ?? ""] ??= []).push(chunk as Buffer);
  };
  const server = createServer((request, response) => void read(request).then(() => response.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: (path: string) => Buffer.concat(received[path] ?? []).toString("latin1"),
    stop: () => server.close(),
  };
}

test("traces and metrics go where the standard variables say, with operations and queries and no secrets", async () => {
  const collector = await startCollector();
  const directory = await mkdtemp(join(tmpdir(), "telemetry-"));
  const variables = { PORT: "0", DATA_DIR: directory, SEED: "none", OTEL_METRIC_EXPORT_INTERVAL: "500" };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const token = "not-a-token-of-anybody";
  const ask = (url: string) =>
    fetch(`${url}/iam/v2/groups`, {
      headers: { authorization: `Bearer ${token}`, traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
    });
  try {
    const service = await startBuilt({ ...variables, ...endpoint });
    expect((await ask(service.url)).status).toBe(401);
    await fetch(`${service.url}/healthz`);
    await service.end("SIGTERM");
    const traces = collector.text("/v1/traces");
    for (const part of [
      "groups.list",
      "UNAUTHENTICATED",
      "query",
      Buffer.from(TRACE, "hex").toString("latin1"),
    ])
      expect(traces).toContain(part);
    expect(collector.text("/v1/metrics")).toContain("platform.operation.duration");
    expect(traces).not.toContain(token);

    const before = traces.length;
    const off = await startBuilt({ ...variables, ...endpoint, OTEL_SDK_DISABLED: "true" });
    await ask(off.url);
    await off.end("SIGTERM");
    expect(collector.text("/v1/traces").length).toBe(before);
  } finally {
    collector.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
