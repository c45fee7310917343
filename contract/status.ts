import * as z from "zod/mini";

/** google.rpc.Code by name, with the HTTP status that carries it (AIP-193). */
export const CODES = {
  CANCELLED: { code: 1, http: 499 },
  UNKNOWN: { code: 2, http: 500 },
  INVALID_ARGUMENT: { code: 3, http: 400 },
  DEADLINE_EXCEEDED: { code: 4, http: 504 },
  NOT_FOUND: { code: 5, http: 404 },
  ALREADY_EXISTS: { code: 6, http: 409 },
  PERMISSION_DENIED: { code: 7, http: 403 },
  RESOURCE_EXHAUSTED: { code: 8, http: 429 },
  FAILED_PRECONDITION: { code: 9, http: 400 },
  ABORTED: { code: 10, http: 409 },
  OUT_OF_RANGE: { code: 11, http: 400 },
  UNIMPLEMENTED: { code: 12, http: 501 },
  INTERNAL: { code: 13, http: 500 },
  UNAVAILABLE: { code: 14, http: 503 },
  DATA_LOSS: { code: 15, http: 500 },
  UNAUTHENTICATED: { code: 16, http: 401 },
} as const;

export type CodeName = keyof typeof CODES;

const BY_CODE = new Map(Object.entries(CODES).map(([name, { code }]) => [code as number, name as CodeName]));

/** The name of a google.rpc.Code number; UNKNOWN for a number that has none. */
export const codeName = (code: number): CodeName => BY_CODE.get(code) ?? "UNKNOWN";

const RPC = "type.googleapis.com/google.rpc.";
export const ERROR_INFO = `${RPC}ErrorInfo`;
export const BAD_REQUEST = `${RPC}BadRequest`;
export const PRECONDITION_FAILURE = `${RPC}PreconditionFailure`;
export const RESOURCE_INFO = `${RPC}ResourceInfo`;
export const RETRY_INFO = `${RPC}RetryInfo`;

export interface FieldViolation {
  /** Path in the resource's own body, dotted camelCase with list indexes: `claimMatch.subject`. */
  readonly field: string;
  readonly description: string;
}

export interface PreconditionViolation {
  readonly type: string;
  readonly description: string;
  readonly subject?: string | undefined;
}

/** A typed detail; unknown ones pass through untouched. */
export const statusDetail = z.looseObject({ "@type": z.string() });

/** google.rpc.Status as JSON (AIP-193): no outer `error` key. */
export const status = z.looseObject({
  code: z.number(),
  message: z.string(),
  details: z.optional(z.array(statusDetail)),
});

export type StatusDetail = z.infer<typeof statusDetail>;
export type Status = z.infer<typeof status>;

/** The entries of a detail; some gateways send a single entry without a list, or only its text. */
const entries = (value: unknown): Record<string, unknown>[] =>
  [value].flat().flatMap((item) => {
    if (typeof item === "string") return [{ description: item }];
    return typeof item === "object" && item !== null ? [item as Record<string, unknown>] : [];
  });

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const details = (value: Status, type: string): StatusDetail[] =>
  (value.details ?? []).filter((detail) => detail["@type"] === type);

/** The BadRequest field violations of a status, in the server's order. */
export const fieldViolations = (value: Status): FieldViolation[] =>
  details(value, BAD_REQUEST)
    .flatMap((detail) => entries(detail["fieldViolations"]))
    .map((item) => ({ field: text(item["field"]), description: text(item["description"]) }));

/** The PreconditionFailure violations of a status, in the server's order. */
export const preconditionViolations = (value: Status): PreconditionViolation[] =>
  details(value, PRECONDITION_FAILURE)
    .flatMap((detail) => entries(detail["violations"]))
    .map((item) => ({
      type: text(item["type"]),
      description: text(item["description"]),
      subject: text(item["subject"]) || undefined,
    }));

export interface ErrorInfo {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The ErrorInfo of a status: the machine-readable reason and where it comes from. */
export function errorInfo(value: Status): ErrorInfo | undefined {
  const [detail] = details(value, ERROR_INFO);
  if (!detail) return undefined;
  const metadata = Object.entries(Object(detail["metadata"]) as Record<string, unknown>);
  return {
    reason: text(detail["reason"]),
    domain: text(detail["domain"]),
    metadata: Object.fromEntries(metadata.map(([key, item]) => [key, text(item)])),
  };
}
