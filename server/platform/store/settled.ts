import type { Queries } from "./database";

/** Nobody knows whether a change was made: it failed, and the database does not say. */
export class Unsettled extends Error {}

/**
 * Makes a change. If it fails, asks the database whether it was made nevertheless, since the answer to a commit can be
 * lost. Throws the failure if not, and Unsettled if it does not say.
 * @param look what the change returns if it was made, or undefined
 */
export async function settled<T>(
  change: () => Promise<T>,
  look: (error: unknown) => Promise<T | undefined>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const made = await look(error).catch(() => {
      throw new Unsettled(error instanceof Error ? error.message : String(error), { cause: error });
    });
    if (made === undefined) throw error;
    return made;
  }
}

/** True if there is an entry of this act and request: what is one transaction with it was made too. */
export async function wasRecorded(
  queries: Queries,
  { action, requestId }: { readonly action: string; readonly requestId: string },
): Promise<boolean> {
  const found = await queries.query(
    "select 1 from audit_entries where action = $1 and entry::jsonb -> 'request' ->> 'id' = $2 limit 1",
    [action, requestId],
  );
  return found.length > 0;
}
