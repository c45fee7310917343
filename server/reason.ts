/** What only says that there is a cause. */
const EMPTY = new Set(["", "fetch failed", "terminated"]);

/** The code of an error of Node or of a library; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : undefined;
}

function partsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const causes = error instanceof AggregateError ? [error.errors[0]] : [error.cause];
  const below = causes.filter((cause) => cause !== undefined).flatMap(partsOf);
  if (EMPTY.has(error.message))
    return below.length > 0 ? below : [error.message || (errorCode(error) ?? error.name)];
  return [error.message, ...below.filter((part) => !error.message.includes(part))];
}

/**
 * Why something failed, down to its cause: that of fetch only says "fetch failed", and one for several addresses of a
 * host says nothing.
 */
export const reasonOf = (error: unknown): string => partsOf(error).join(": ");
