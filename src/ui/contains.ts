/** True if any of the texts contains the query, ignoring case. */
export function contains(typed: string, texts: readonly (string | undefined)[]): boolean {
  const sought = typed.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(sought));
}
