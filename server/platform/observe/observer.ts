import type { Config } from "../../config";
import type { Database } from "../store/database";
import type { Observed } from "./service-metrics";

/** A call of an operation. Does not identify the caller or the resource. */
export interface ObservedCall {
  /** Endpoint id: `groups.list`. */
  readonly operation: string;
  readonly transport: "http" | "grpc";
  /** The caller's trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
}

/** Observes calls, for metrics or traces. */
export interface Observer {
  /** Runs a call; `codeOf` maps a thrown error to its google.rpc.Code name. */
  watch<T>(call: ObservedCall, work: () => Promise<T>, codeOf: (error: unknown) => string): Promise<T>;
  /** Flushes and stops. */
  stop(): Promise<void>;
}

export interface Observers extends Observer {
  /** The same database, with its queries traced. */
  watched(database: Database): Database;
  /** Adds the metrics that a running service has. */
  watchService(observed: Observed): void;
  /** Address for Prometheus to scrape; undefined if off. */
  readonly metricsUrl: string | undefined;
}

/**
 * Starts Prometheus if METRICS_PORT is set and OpenTelemetry if its standard variables are. Does not even load what is
 * off. `variables` is the environment.
 */
export async function createObservers(
  config: Config,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Observers> {
  const prometheus =
    config.metricsPort === undefined
      ? undefined
      : await (await import("./prometheus")).createPrometheus(config.metricsHost, config.metricsPort);
  const telemetry = isTelemetryOn(variables)
    ? await (await import("./telemetry")).createTelemetry()
    : undefined;
  const all: Observer[] = [prometheus, telemetry].filter((one) => one !== undefined);
  return {
    watch: (call, work, codeOf) =>
      all.reduce<typeof work>((inner, one) => () => one.watch(call, inner, codeOf), work)(),
    watched(database) {
      prometheus?.watchPool(database);
      return telemetry?.watched(database) ?? database;
    },
    watchService: (observed) => prometheus?.watchService(observed),
    metricsUrl: prometheus?.url,
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}

/** True if an endpoint or exporter is set (OpenTelemetry, "Environment Variable Specification"). */
function isTelemetryOn(variables: Readonly<Record<string, string | undefined>>): boolean {
  if (variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporters = ["OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER"].map((name) => variables[name]);
  const endpoints = ["", "_TRACES", "_METRICS"].map(
    (kind) => variables[`OTEL_EXPORTER_OTLP${kind}_ENDPOINT`],
  );
  return endpoints.some(Boolean) || exporters.some((one) => one && one !== "none");
}
