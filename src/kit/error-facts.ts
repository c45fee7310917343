/** One field that the server refused: its path in the server's words, and why. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** What the kit reads off an error, whoever made it: an `ApiError` has all of it, any other Error the message. */
export interface ErrorFacts {
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly violations: readonly Violation[];
}

export function errorFacts(error: unknown): ErrorFacts {
  const { message, requestId, violations } = Object(error) as Partial<Record<keyof ErrorFacts, unknown>>;
  return {
    message: typeof message === "string" && message !== "" ? message : "Something unexpected happened.",
    requestId: typeof requestId === "string" && requestId !== "" ? requestId : undefined,
    violations: Array.isArray(violations) ? (violations as Violation[]) : [],
  };
}
