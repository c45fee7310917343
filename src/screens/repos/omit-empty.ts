/**
 * A value without what is empty, since the wire has no empty text, list or object (contract 0.2); undefined when nothing
 * is left. Texts lose the spaces around them. An object in a list stays, be it empty: its place tells which one it is.
 * `maps` stay letter by letter: there an empty text is a value, and so are the spaces of `PS1="$ "`.
 */
export function omitEmpty(value: unknown, maps: readonly object[] = []): unknown {
  if (typeof value === "string") return value.trim() || undefined;
  if (Array.isArray(value)) {
    const kept = value.map((each) => omitEmpty(each, maps) ?? (typeof each === "object" ? {} : undefined));
    const found = kept.filter((each) => each !== undefined);
    return found.length > 0 ? found : undefined;
  }
  if (typeof value !== "object" || value === null) return value ?? undefined;
  if (maps.includes(value)) return Object.keys(value).length > 0 ? value : undefined;
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const inner = omitEmpty(each, maps);
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
