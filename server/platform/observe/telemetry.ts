import {
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

import type { Database, Queries } from "../store/database";
import type { Observer } from "./observer";

const SCOPE = "platform-service";

/**
 * OTLP traces and metrics, configured by OpenTelemetry's standard variables. Each operation is a span; its child spans
 * are its queries, without their parameters.
 */
export async function createTelemetry(): Promise<Observer & { watched(database: Database): Database }> {
  process.env["OTEL_SERVICE_NAME"] ??= SCOPE;
  // The SDK sends no metrics unless this is set.
  process.env["OTEL_METRICS_EXPORTER"] ??= "otlp";
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  const tracer = trace.getTracer(SCOPE);
  const duration = metrics.getMeter(SCOPE).createHistogram("platform.operation.duration", {
    unit: "s",
    description: "Time from a call's arrival to its response",
  });

  const within = <T>(span: Span, work: () => Promise<T>, codeOf: (error: unknown) => string) =>
    work().then(
      (answer) => [answer, "OK"] as const,
      (error: unknown) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", codeOf(error));
        throw error;
      },
    );

  const query = <R>(sql: string, work: () => Promise<R>): Promise<R> => {
    const attributes = {
      "db.system.name": "postgresql",
      "db.operation.name": sql.trimStart().split(/\s/, 1)[0],
    };
    return tracer.startActiveSpan("query", { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return (await within(span, work, () => "query"))[0];
      } finally {
        span.end();
      }
    });
  };
  const queries = (inner: Queries): Queries => ({
    query: <R>(sql: string, parameters?: readonly unknown[]) =>
      query(sql, () => inner.query<R>(sql, parameters)),
  });

  return {
    async watch({ operation, transport, traceparent }, work, codeOf) {
      const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
      const attributes = { "platform.operation": operation, "platform.transport": transport };
      const begin = performance.now();
      let code = "OK";
      return context.with(parent, () =>
        tracer.startActiveSpan(operation, { kind: SpanKind.SERVER, attributes }, async (span) => {
          try {
            return (await within(span, work, (error) => (code = codeOf(error))))[0];
          } finally {
            span.setAttribute("platform.code", code);
            span.end();
            duration.record((performance.now() - begin) / 1000, { ...attributes, "platform.code": code });
          }
        }),
      );
    },
    watched: (database) => ({
      ...database,
      ...queries(database),
      transaction: (work) => database.transaction((inner) => work(queries(inner))),
    }),
    stop: () => sdk.shutdown(),
  };
}
