import { ApiError } from "platform-client/errors";
import { StalePlanError } from "platform-client/plan/apply";
import { StateProblem } from "platform-client/plan/state";
import { SnapshotProblem } from "platform-client/snapshots/format";

import { printable } from "../output/printable";

/** What a command ends with. `--help` prints them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  signedOut: 3,
  unreachable: 4,
  unexpected: 5,
  drift: 6,
  interrupted: 130,
} as const;

export const EXIT_CODES = `Exit codes:
  0    done
  1    the service refused (its code, message and field violations are on standard error)
  2    the command was not written as it should be, a file can't be used, or a question wasn't answered with yes
  3    not signed in, or the sign-in has ended
  4    the service, or the sign-in service, can't be reached or is unavailable
  5    an answer that this API does not give
  6    only of "drift", "plan --check" and "apply": something differs, would be refused, or has changed since the plan
  130  interrupted`;

/** The command was not written as it should be. */
export class UsageError extends Error {}

/** The caller may not do all that the command needs. */
export class RefusedError extends Error {}

/** What was compared is not the same; the command has said how. */
export class DriftError extends Error {}

/** There is no token, or it is not accepted any more. */
export class SignedOutError extends Error {}

/** The sign-in service or config.json can't be reached. */
export class UnreachableError extends Error {}

/** An answer of the sign-in service, or a config.json, that is not what it should be. */
export class UnexpectedError extends Error {}

/** A file or directory that can't be read or written. */
const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error && "path" in error;

/** What lies under "can't be reached", as the system says it: a name without an address, a certificate, a refused connection. */
export function causeOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  if (cause !== undefined && cause !== null) return causeOf(cause);
  const { code, message, errors } = Object(error) as { code?: string; message?: string; errors?: unknown[] };
  return errors?.[0] === undefined ? (message || code || "").trim() : causeOf(errors[0]);
}

export function exitCodeOf(error: unknown): number {
  if (
    error instanceof UsageError ||
    error instanceof StateProblem ||
    error instanceof SnapshotProblem ||
    isOfFiles(error)
  )
    return EXIT.usage;
  if (error instanceof RefusedError) return EXIT.refused;
  if (error instanceof DriftError || error instanceof StalePlanError) return EXIT.drift;
  if (error instanceof SignedOutError) return EXIT.signedOut;
  if (error instanceof UnreachableError) return EXIT.unreachable;
  if (!(error instanceof ApiError)) return EXIT.unexpected;
  if (error.code === "UNAUTHENTICATED") return EXIT.signedOut;
  if (error.kind === "unreachable" || error.http === 429 || error.code === "UNAVAILABLE")
    return EXIT.unreachable;
  return error.kind === "refused" ? EXIT.refused : EXIT.unexpected;
}

/** `writes`: what was sent may have changed something. */
function linesOf(error: unknown, writes: boolean): string[] {
  if (isOfFiles(error)) return [`${error.path} can't be read or written: ${error.message}`];
  if (!(error instanceof ApiError))
    return (error instanceof Error ? error.message : String(error)).split("\n");
  const { kind, code, message, violations, preconditions, missingCapability, requestId } = error;
  return [
    kind === "refused" ? `${code}: ${message}` : message,
    ...(kind === "unreachable" && error.cause ? [`  ${causeOf(error)}`] : []),
    ...violations.map(({ field, description }) => `  ${field}: ${description}`),
    ...preconditions.map(({ type, description }) => `  ${type}: ${description}`),
    ...(missingCapability === undefined ? [] : [`  needs ${missingCapability}`]),
    ...(error.retryAfter === undefined ? [] : [`  try again in ${error.retryAfter} s`]),
    ...(writes && error.outcomeUncertain !== undefined && kind !== "refused"
      ? ["  the change may have been made: look before you repeat it"]
      : []),
    ...(code !== "UNAUTHENTICATED"
      ? []
      : process.env["PLATFORM_TOKEN"]
        ? ["  PLATFORM_TOKEN is used, and not your sign-in: get a new token, or unset it"]
        : ["  sign in: platform login"]),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
  ];
}

/** An error as lines for standard error. */
export const describe = (error: unknown, writes = false): string =>
  linesOf(error, writes)
    .map((line, index) => `${index === 0 ? "platform: " : ""}${printable(line)}\n`)
    .join("");
