import type { Config } from "../config";
import type { Database } from "../store/database";

/** One call of an operation. Nothing in it tells whose it is, or of what. */
export interface ObservedCall {
  /** The id of the endpoint: `groups.list`. */
  readonly operation: string;
  readonly transport: "http" | "grpc";
  /** The caller's trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
}

/** Something that watches the service at work. */
export interface Observer {
  /** Runs a call; `codeOf` says how one that threw ended (google.rpc.Code by name). */
  watch<T>(call: ObservedCall, work: () => Promise<T>, codeOf: (error: unknown) => string): Promise<T>;
  /** Sends what is left. */
  stop(): Promise<void>;
}

export interface Observers extends Observer {
  /** The same database, with its queries in the traces. */
  watched(database: Database): Database;
  /** Where Prometheus reads; undefined when it does not. */
  readonly metricsUrl: string | undefined;
}

/**
 * Prometheus with METRICS_PORT, OpenTelemetry with the variables of its specification. What is off is not even loaded.
 * `variables` is the environment.
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
    metricsUrl: prometheus?.url,
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}

/** Where to send to, or an exporter, switches it on (OpenTelemetry, "Environment Variable Specification"). */
function isTelemetryOn(variables: Readonly<Record<string, string | undefined>>): boolean {
  if (variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporters = ["OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER"].map((name) => variables[name]);
  const endpoints = ["", "_TRACES", "_METRICS"].map(
    (kind) => variables[`OTEL_EXPORTER_OTLP${kind}_ENDPOINT`],
  );
  return endpoints.some(Boolean) || exporters.some((one) => one && one !== "none");
}
