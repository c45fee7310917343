import { createServer } from "node:http";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

import { ConfigError } from "../../config";
import type { Database } from "../store/database";
import type { Observer } from "./observer";
import { registerProcess, registerService, type Observed } from "./service-metrics";
import { portOf } from "../../port";

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Serves metrics as text at `/metrics`, on a separate port: they are for the operator, not for callers. */
export async function createPrometheus(
  host: string,
  port: number,
): Promise<
  Observer & { readonly url: string; watchPool(database: Database): void; watchService(of: Observed): void }
> {
  const register = new Registry();
  // Event loop, memory, garbage collection, CPU.
  collectDefaultMetrics({ register });
  const endProcess = registerProcess(register);
  const durations = new Histogram({
    name: "platform_operation_duration_seconds",
    help: "Time from a call's arrival to its response, by operation, transport and google.rpc.Code",
    labelNames: ["operation", "transport", "code"],
    buckets: BUCKETS,
    registers: [register],
  });
  const running = new Gauge({
    name: "platform_operations_running",
    help: "Calls in progress, including those waiting for their turn",
    registers: [register],
  });
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return response.writeHead(404).end();
    return register.metrics().then(
      (text) => response.writeHead(200, { "content-type": register.contentType }).end(text),
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
      const end = durations.startTimer({ operation, transport });
      running.inc();
      try {
        const answer = await work();
        end({ code: "OK" });
        return answer;
      } catch (error) {
        end({ code: codeOf(error) });
        throw error;
      } finally {
        running.dec();
      }
    },
    watchPool({ pool }) {
      if (!pool) return;
      const gauge: Gauge<"state"> = new Gauge({
        name: "platform_database_connections",
        help: "Connections to PostgreSQL by state, and queries that wait for one",
        labelNames: ["state"],
        registers: [register],
        collect: () => Object.entries(pool()).forEach(([state, count]) => gauge.set({ state }, count)),
      });
    },
    watchService: (observed) => registerService(register, observed),
    stop: () =>
      new Promise((resolve) => {
        endProcess();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
