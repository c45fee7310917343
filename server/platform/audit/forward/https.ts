import { outbound } from "../../../outbound";
import type { Outgoing, Writer } from "./writer";

export interface HttpOptions {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
}

// The operator names the address: it can be in a private network.
const request = outbound({ anywhere: true });

async function post({ url, token }: HttpOptions, type: string, body: string): Promise<Response> {
  const answer = await request(url, {
    method: "POST",
    headers: { "content-type": type, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body,
  });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  return answer;
}

/** NDJSON, a batch in each request; any status but 2xx means that it does not have the batch. */
export const toHttps = (options: HttpOptions): Writer => ({
  async write(entries) {
    await post(options, "application/x-ndjson", entries.map(({ line }) => `${line}\n`).join(""));
  },
  close: () => Promise.resolve(),
});

/** Severity numbers of INFO and WARN (OpenTelemetry, logs data model). */
const INFO = { severityNumber: 9, severityText: "INFO" };
const WARN = { severityNumber: 13, severityText: "WARN" };

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** An ExportLogsServiceRequest in OTLP's JSON encoding (OTLP 1.x, "JSON Protobuf Encoding"). */
export const otlpLogs = (entries: readonly Outgoing[]): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [text("service.name", "platform-service")] },
        scopeLogs: [
          {
            scope: { name: "audit" },
            logRecords: entries.map(({ line, time, action, done }) => ({
              timeUnixNano: `${time.getTime()}000000`,
              ...(done ? INFO : WARN),
              eventName: action,
              body: { stringValue: line },
            })),
          },
        ],
      },
    ],
  });

/** OpenTelemetry log records over HTTP; the body of each is the entry as JSON. */
export const toOtlp = (options: HttpOptions): Writer => ({
  async write(entries) {
    await post(options, "application/json", otlpLogs(entries));
  },
  close: () => Promise.resolve(),
});
