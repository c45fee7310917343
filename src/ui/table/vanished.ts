/**
 * Returns the rows of a list that are gone, not just unloaded: those between rows on both sides that are still there.
 * `begins`: both start with the first row of the list; `ends`: the list ends with the last row of `now`.
 */
export function vanished(
  before: readonly string[],
  now: ReadonlySet<string>,
  { begins, ends }: { readonly begins: boolean; readonly ends: boolean },
): string[] {
  const first = begins ? 0 : before.findIndex((key) => now.has(key));
  const last = ends ? before.length - 1 : before.findLastIndex((key) => now.has(key));
  return first < 0 ? [] : before.slice(first, last + 1).filter((key) => !now.has(key));
}
