import type { Queries } from "./database";

/** Why the service changes records by itself, for their entries of the log. */
export interface ServiceCause {
  readonly justification: string;
  /** Uid of what made it do so, by which the entries are found, too. */
  readonly subject: string;
}

const causes = new WeakMap<Queries, ServiceCause>();

/** Notes why the service makes the changes of this transaction. */
export const noteCause = (queries: Queries, cause: ServiceCause): unknown => causes.set(queries, cause);

/** What was noted since the last time: a connection can serve one transaction after another. */
export function takeCause(queries: Queries): ServiceCause | undefined {
  const cause = causes.get(queries);
  causes.delete(queries);
  return cause;
}
