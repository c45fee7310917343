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
} from "~/contract/status";

/** A refusal on its way to the caller; `area` ("iam") becomes the error domain when it is written (contract 0.10). */
export class Failure extends Error {
  constructor(
    override readonly name: CodeName,
    message: string,
    readonly details: readonly StatusDetail[] = [],
    readonly options: {
      readonly metadata?: Readonly<Record<string, string>>;
      /** Seconds, for Retry-After. */
      readonly retryAfter?: number;
      /** For the log alone. */
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
  }

  get http(): number {
    return CODES[this.name].http;
  }

  /** The same by the name under which the OpenID provider looks for it. */
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

/** Nobody mends more at a time, and an answer must not be many times the request that caused it. */
const MOST_VIOLATIONS = 100;

/** INVALID_ARGUMENT with every failing field at once (contract B22), or the first hundred of them. */
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
 * A refusal of a request in which some fields could not be read: told together with what else is wrong with its fields,
 * and instead of any other refusal.
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

/** FAILED_PRECONDITION, as for a delete that something blocks (contract B1). */
export const failedPrecondition = (violations: readonly PreconditionViolation[]): Failure =>
  new Failure(
    "FAILED_PRECONDITION",
    `Precondition failed: ${violations.map(({ description }) => description).join("; ")}`,
    [{ "@type": PRECONDITION_FAILURE, violations }],
  );

/** ALREADY_EXISTS on a field; `existing` is the ResourceInfo of the record that is there, for who may see it. */
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

/** PERMISSION_DENIED naming the missing capability; the same words whether or not the record exists (contract B6). */
export const permissionDenied = (capabilities: readonly string[], uid: string): Failure =>
  new Failure(
    "PERMISSION_DENIED",
    `Permission denied: ${capabilities.join(" and ")} is needed${uid ? ` at ${uid}` : ""}`,
    [],
    { metadata: { capability: capabilities.join(","), ...(uid && { resource: uid }) } },
  );

export const unauthenticated = (message: string): Failure => new Failure("UNAUTHENTICATED", message);
