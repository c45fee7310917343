import type { ReactNode } from "react";

import type { FieldViolation } from "platform-contract/status";

/** The parts of an error that views show: an `ApiError` has all of them, any other Error only the message. */
export interface ErrorFacts {
  readonly message: string;
  readonly requestId?: string | undefined;
  /** Canonical code, and the machine-readable reason with the service that it comes from: "NOT_FOUND". */
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly domain?: string | undefined;
  readonly violations: readonly FieldViolation[];
  /** Earliest retry, in ms; undefined: any time. */
  readonly retryAt?: number | undefined;
  /** `none`: the write did not happen; `unknown`: unconfirmed; `changed`: someone else was first. */
  readonly outcome?: "none" | "unknown" | "changed" | undefined;
  /** With `changed`: the record as it is now. */
  readonly current?: unknown;
  /** Nothing went wrong: there was nothing to do. */
  readonly calm?: boolean | undefined;
  /** What the user can do about it, shown with the error. */
  readonly help?: ReactNode;
}

const WORDLESS = "The service rejected this value without giving a reason.";

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/** Returns violations that can be shown: each has a description; drops those without a field and a reason. */
function readViolations(found: unknown): FieldViolation[] {
  if (!Array.isArray(found)) return [];
  return found.flatMap((each: unknown) => {
    const { field, description }: Partial<Record<keyof FieldViolation, unknown>> = Object(each);
    const [where, why] = [textOf(field), textOf(description)];
    return where === "" && why === "" ? [] : [{ field: where, description: why || WORDLESS }];
  });
}

/** What an error can have; only those of the API have the last two. */
type MaybeFacts = Partial<Record<Exclude<keyof ErrorFacts, "outcome" | "help">, unknown>> &
  Pick<Partial<ErrorFacts>, "outcome" | "help">;

export function errorFacts(error: unknown): ErrorFacts {
  const facts: MaybeFacts = Object(error);
  const { message, requestId, code, reason, domain, violations, retryAt, outcome, current, calm, help } =
    facts;
  return {
    message: typeof message === "string" && message !== "" ? message : "Something unexpected happened.",
    requestId: textOf(requestId) || undefined,
    code: textOf(code) || undefined,
    reason: textOf(reason) || undefined,
    domain: textOf(domain) || undefined,
    violations: readViolations(violations),
    retryAt: typeof retryAt === "number" ? retryAt : undefined,
    outcome,
    current,
    calm: calm === true,
    ...(help ? { help } : {}),
  };
}
