import { isIPv6 } from "node:net";

/** Where entries of the audit log are forwarded to. */
export type AuditTarget =
  | { readonly kind: "stdout" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "syslog"; readonly host: string; readonly port: number; readonly tls: boolean }
  | { readonly kind: "ndjson" | "otlp"; readonly url: string };

export interface NamedTarget {
  /** As in AUDIT_FORWARD: by it, the database remembers how far this target is. */
  readonly name: string;
  readonly target: AuditTarget;
  /** True if it leaves this machine without TLS. */
  readonly exposed: boolean;
}

export const AUDIT_TARGET_RULE =
  "must be stdout, file:///path, syslog+tls://host:port, https://host/path or otlp+https://host/v1/logs";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The ports of RFC 5425 and RFC 6587. */
const SYSLOG_PORTS = { "syslog+tls:": 6514, "syslog+tcp:": 601 } as const;

/** Reads one item of AUDIT_FORWARD; undefined if it is none. */
export function readAuditTarget(text: string): NamedTarget | undefined {
  if (text === "stdout") return { name: text, target: { kind: "stdout" }, exposed: false };
  if (/^file:\/\/\/[^/]/.test(text))
    return {
      name: text,
      target: { kind: "file", path: decodeURI(text.slice("file://".length)) },
      exposed: false,
    };
  const url = URL.parse(text);
  // A password would be in the database, as a part of the name.
  if (!url || url.hostname === "" || url.username !== "" || url.password !== "" || url.hash !== "")
    return undefined;
  const { protocol } = url;
  const outside = !LOOPBACK.test(url.hostname);
  if (protocol === "syslog+tls:" || protocol === "syslog+tcp:") {
    if (!["", "/"].includes(url.pathname) || url.search !== "") return undefined;
    const tls = protocol === "syslog+tls:";
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (url.hostname.startsWith("[") && !isIPv6(host)) return undefined;
    const port = url.port === "" ? SYSLOG_PORTS[protocol] : Number(url.port);
    return { name: text, target: { kind: "syslog", host, port, tls }, exposed: !tls && outside };
  }
  const [, otlp, scheme] = /^(otlp\+)?(https?):$/.exec(protocol) ?? [];
  if (scheme === undefined) return undefined;
  return {
    name: text,
    target: { kind: otlp ? "otlp" : "ndjson", url: text.slice(otlp?.length ?? 0) },
    exposed: scheme === "http" && outside,
  };
}
