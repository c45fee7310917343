import {
  BAD_REQUEST,
  CODES,
  ERROR_INFO,
  PRECONDITION_FAILURE,
  RESOURCE_INFO,
  fieldViolations,
  type CodeName,
  type FieldViolation,
  type PreconditionViolation,
  type Status,
  type StatusDetail,
} from "platform-contract/status";

/** An error for the caller; `area` ("iam") becomes part of the error domain on serialization (AIP-193). */
export class Failure extends Error {
  constructor(
    override readonly name: CodeName,
    message: string,
    readonly details: readonly StatusDetail[] = [],
    readonly options: {
      readonly metadata?: Readonly<Record<string, string>>;
      /** Seconds, for Retry-After. */
      readonly retryAfter?: number;
      /** For the log only. */
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
  }

  get http(): number {
    return CODES[this.name].http;
  }

  /** Same as `http`, under the name that the OpenID provider reads. */
  get statusCode(): number {
    return this.http;
  }

  /** The wire form. `domain` is `<area>.<service domain>`. */
  toStatus(domain: string): Status {
    const { metadata } = this.options;
    const info = { "@type": ERROR_INFO, reason: this.name, domain, ...(metadata && { metadata }) };
    return { code: CODES[this.name].code, message: this.message, details: [info, ...this.details] };
  }
}

/** No client fixes more at a time, and a response must not be many times as large as its request. */
const MOST_VIOLATIONS = 100;

/** INVALID_ARGUMENT with all failing fields, up to the first hundred. */
export function invalidArgument(violations: readonly FieldViolation[]): Failure {
  const told = violations.slice(0, MOST_VIOLATIONS);
  const sentences = told.map(({ field, description }) => `${field}: ${description}`);
  const left = violations.length - told.length;
  if (left > 0) sentences.push(`and ${left} more`);
  return new Failure("INVALID_ARGUMENT", `Invalid argument: ${sentences.join("; ")}`, [
    { "@type": BAD_REQUEST, fieldViolations: told },
  ]);
}

/**
 * Adds fields that could not be parsed to the failure of a request: merges them with its other invalid fields, or
 * replaces a failure of any other kind.
 */
export function withUnread(failure: Failure, unread: readonly FieldViolation[]): Failure {
  if (unread.length === 0) return failure;
  const first = invalidArgument(unread);
  if (failure.name !== "INVALID_ARGUMENT") return first;
  const more = fieldViolations(failure.toStatus("")).filter(
    ({ field }) => !unread.some((violation) => violation.field === field),
  );
  if (failure.details.length > 0) return invalidArgument([...unread, ...more]);
  const [, sentence = failure.message] = failure.message.split(/^Invalid argument: /);
  return new Failure(first.name, `${first.message}; ${sentence}`, first.details, failure.options);
}

/** FAILED_PRECONDITION, as for a delete that something blocks. `metadata`: of its ErrorInfo, for programs. */
export const failedPrecondition = (
  violations: readonly PreconditionViolation[],
  metadata?: Readonly<Record<string, string>>,
): Failure =>
  new Failure(
    "FAILED_PRECONDITION",
    `Precondition failed: ${violations.map(({ description }) => description).join("; ")}`,
    [{ "@type": PRECONDITION_FAILURE, violations }],
    metadata && { metadata },
  );

/** ALREADY_EXISTS for a field. Pass the existing record's ResourceInfo as `existing` only if the caller can see it. */
export const alreadyExists = (
  violation: FieldViolation,
  existing?: { readonly resourceType: string; readonly resourceName: string },
): Failure =>
  new Failure("ALREADY_EXISTS", `Already exists: ${violation.description}`, [
    { "@type": BAD_REQUEST, fieldViolations: [violation] },
    ...(existing ? [{ "@type": RESOURCE_INFO, ...existing }] : []),
  ]);

/** NOT_FOUND. `resourceType` is `<area>.<service domain>/<Type>`. */
export const notFound = (resourceType: string, resourceName: string): Failure =>
  new Failure("NOT_FOUND", `Not found: ${resourceType} ${resourceName}`, [
    { "@type": RESOURCE_INFO, resourceType, resourceName },
  ]);

/** PERMISSION_DENIED with the missing capabilities; the same message whether or not the record exists. */
export const permissionDenied = (capabilities: readonly string[], uid: string): Failure =>
  new Failure(
    "PERMISSION_DENIED",
    `Permission denied: requires ${capabilities.join(" and ")}${uid ? ` at ${uid}` : ""}`,
    [],
    { metadata: { capability: capabilities.join(","), ...(uid && { resource: uid }) } },
  );

export const unauthenticated = (message: string): Failure => new Failure("UNAUTHENTICATED", message);
