import {
  CODES,
  RETRY_INFO,
  codeName,
  errorInfo,
  fieldViolations,
  preconditionViolations,
  type CodeName,
  type FieldViolation,
  type PreconditionViolation,
  type Status,
} from "platform-contract/status";

interface Facts {
  /** HTTP status; absent if there was no response. */
  readonly http?: number | undefined;
  /** The server's status, if it responded in the API's format (AIP-193). */
  readonly status?: Status | undefined;
  readonly requestId?: string | undefined;
  /** Seconds to wait before retrying. */
  readonly retryAfter?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly current?: unknown;
  /** Nothing was sent, so nothing can have happened. */
  readonly unsent?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * What the console found out about a write that got no response, or before sending it.
 * - `none`: it did not happen. - `unknown`: cannot be determined. - `changed`: someone else changed the record.
 */
export type Outcome = "none" | "unknown" | "changed";

/** A failed write may have worked: `pending` if the service may still carry it out, `processed` if it has finished. */
export type Uncertainty = "pending" | "processed";

/**
 * Every failure of a call.
 * - `refused`: the service refused, in the API's own format; `message` is its own sentence.
 * - `unreachable`: no response, or an incomplete one. A write may have happened anyway.
 * - `invalid`: a response that this API does not send, such as a proxy's HTML or a record without its uid.
 */
export class ApiError extends Error {
  readonly http: number | undefined;
  readonly code: CodeName;
  readonly status: Status | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The earliest time to retry, in ms by this machine's clock; undefined if the service did not say. */
  readonly retryAt: number | undefined;
  readonly outcome: Outcome | undefined;
  /** With the outcome `changed`: the record as it is now. */
  readonly current: unknown;
  readonly unsent: boolean;

  constructor(
    readonly kind: "refused" | "unreachable" | "invalid",
    message: string,
    { http, status, requestId, retryAfter, outcome, current, unsent = false, cause }: Facts = {},
  ) {
    super(message, { cause });
    this.name = "ApiError";
    this.http = http;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.retryAt = retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000;
    this.outcome = outcome;
    this.current = current;
    this.unsent = unsent;
    this.code = kind === "unreachable" ? "UNAVAILABLE" : status ? codeName(status.code) : codeOfHttp(http);
  }

  /** The rejected fields, by their paths in the resource's body, in the server's order. */
  get violations(): FieldViolation[] {
    return this.status ? fieldViolations(this.status) : [];
  }

  /** What blocks the operation. */
  get preconditions(): PreconditionViolation[] {
    return this.status ? preconditionViolations(this.status) : [];
  }

  /** The capability that a 403 names; several are joined by commas. */
  get missingCapability(): string | undefined {
    return this.status && errorInfo(this.status)?.metadata["capability"];
  }

  /** The collections whose records block the deletion of their group; undefined if the service does not name them. */
  get blockingCollections(): readonly string[] | undefined {
    return (this.status && errorInfo(this.status)?.metadata["children"])?.split(",");
  }

  /** The machine-readable reason, and the service that it comes from. */
  get reason(): string | undefined {
    return (this.status && errorInfo(this.status)?.reason) || undefined;
  }

  get domain(): string | undefined {
    return (this.status && errorInfo(this.status)?.domain) || undefined;
  }

  /** True if the service does not have this operation: UNIMPLEMENTED, or a gateway's 404 or 405, which names no record. */
  get operationMissing(): boolean {
    const { code, http, status } = this;
    return code === "UNIMPLEMENTED" || http === 405 || (http === 404 && !status?.details?.length);
  }

  /** True if retrying the same read can succeed without anyone changing anything. */
  get passing(): boolean {
    if (this.code === "UNIMPLEMENTED") return false;
    return this.kind === "unreachable" || this.http === 429 || (this.http ?? 0) >= 500;
  }

  /** Undefined if the write did not happen, because it was never sent or the service refused it. */
  get outcomeUncertain(): Uncertainty | undefined {
    const { kind, http = 0, status, code } = this;
    if (kind === "unreachable") return this.unsent ? undefined : "pending";
    // Without a status a proxy responded, which does not know what the service does.
    if (!status) return http >= 500 ? "pending" : http < 300 ? "processed" : undefined;
    if (code === "DEADLINE_EXCEEDED" || code === "CANCELLED") return "pending";
    return http >= 500 && code !== "UNAVAILABLE" && code !== "UNIMPLEMENTED" ? "processed" : undefined;
  }

  /** The same error, with what was found out about the write. */
  withOutcome(outcome: Outcome, message = this.message): ApiError {
    const { kind, http, status, requestId, retryAfter, unsent } = this;
    return new ApiError(kind, message, { http, status, requestId, retryAfter, outcome, unsent, cause: this });
  }
}

/** True if the service decided against this request: not if it can't answer now, or wants another sign-in. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.kind === "refused" && !error.passing && error.http !== 401;

/** The error for a response that this API does not send. */
export const invalidResponse = (facts?: Facts): ApiError =>
  new ApiError("invalid", "The service returned an unexpected response.", facts);

/** Statuses that gateways give on behalf of a service they cannot reach (RFC 9110 15.6.3 to 15.6.5). */
const GATEWAY = new Set([502, 503, 504]);

/** A failed response without a Status: from a gateway when its code says so, otherwise not from this API. */
export const statuslessResponse = (facts: Facts & { readonly http: number }): ApiError =>
  GATEWAY.has(facts.http)
    ? new ApiError("invalid", `The service is unavailable: a gateway returned HTTP ${facts.http}.`, facts)
    : invalidResponse(facts);

/** What was thrown, as an error. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

const BY_HTTP = new Map<number, CodeName>(
  Object.entries(CODES).map(([name, { http }]) => [http, name as CodeName]),
);
// Several codes share these statuses; the plainest one stands for a response without a code.
const PLAIN: Readonly<Record<number, CodeName>> = {
  400: "INVALID_ARGUMENT",
  409: "ABORTED",
  500: "INTERNAL",
};

const codeOfHttp = (http = 0): CodeName => PLAIN[http] ?? BY_HTTP.get(http) ?? "UNKNOWN";

/**
 * Seconds that a response asks to wait: Retry-After as seconds or a date (RFC 9110 10.2.3), else RetryInfo. `now` is the
 * service's time in ms.
 */
export function retryAfterOf(
  header: string | null,
  status: Status | undefined,
  now = Date.now(),
): number | undefined {
  if (header !== null && header.trim() !== "") {
    if (/^\s*\d+\s*$/.test(header)) return Number(header);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));
  }
  const delay = status?.details?.find((detail) => detail["@type"] === RETRY_INFO)?.["retryDelay"];
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(String(delay)) ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds));
}
