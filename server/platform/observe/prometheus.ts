import { createServer } from "node:http";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

import { ConfigError } from "../../config";
import type { Database } from "../store/database";
import { gauge } from "./gauge";
import type { Observer } from "./observer";
import { registerRuntime } from "./runtime-metrics";
import { registerProcess, registerService, type Observed } from "./service-metrics";
import { portOf } from "../../port";

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Combinations of labels of one metric: every operation over both transports, with every code it can have. */
const MOST_SERIES = 20_000;
/** That of Prometheus's text format. */
const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Serves metrics as text at `/metrics`, on a separate port: they are for the operator, not for callers. */
export async function createPrometheus(
  host: string,
  port: number,
): Promise<
  Observer & { readonly url: string; watchPool(database: Database): void; watchService(of: Observed): void }
> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  // Not the provider of telemetry.ts, which has other metrics.
  const provider = new MeterProvider({
    readers: [reader],
    views: [{ instrumentName: "*", aggregationCardinalityLimit: MOST_SERIES }],
  });
  const meter = provider.getMeter("platform-service");
  // No timestamps, and no labels but those of the metrics.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const endRuntime = registerRuntime(meter);
  const endProcess = registerProcess(meter);
  const durations = meter.createHistogram("platform_operation_duration_seconds", {
    description: "Time from a call's arrival to its response, by operation, transport and google.rpc.Code",
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const running = meter.createUpDownCounter("platform_operations_running", {
    description: "Calls in progress, including those waiting for their turn",
  });
  // It is there before the first call.
  running.add(0);
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return response.writeHead(404).end();
    return reader.collect().then(
      ({ resourceMetrics }) =>
        response.writeHead(200, { "content-type": CONTENT_TYPE }).end(serializer.serialize(resourceMetrics)),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(`METRICS_PORT: cannot listen on port ${port} of ${host} (${error.code})`)),
    );
    server.listen(port, host, resolve);
  });
  const taken = portOf(server);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}/metrics`,
    async watch({ operation, transport }, work, codeOf) {
      const begin = performance.now();
      const end = (code: string) =>
        durations.record((performance.now() - begin) / 1_000, { operation, transport, code });
      running.add(1);
      try {
        const answer = await work();
        end("OK");
        return answer;
      } catch (error) {
        end(codeOf(error));
        throw error;
      } finally {
        running.add(-1);
      }
    },
    watchPool({ pool }) {
      if (!pool) return;
      gauge(
        meter,
        "platform_database_connections",
        "Connections to PostgreSQL by state, and queries that wait for one",
        () => Object.entries(pool()).map(([state, count]) => [count, { state }] as const),
      );
    },
    watchService: (observed) => registerService(meter, observed),
    stop: () =>
      new Promise((resolve) => {
        endProcess();
        endRuntime();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
