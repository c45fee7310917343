/**
 * Parses the view state as plain strings, one per parameter. The router's own parser turns `name=1e5` into a number;
 * here each route's schema converts what it needs.
 */
export function parseSearch(text: string): Record<string, string> {
  const search: Record<string, string> = {};
  // The first value of a repeated parameter wins.
  for (const [name, value] of new URLSearchParams(text)) search[name] ??= value;
  return search;
}

/** Writes spaces as `+`, keeps commas and underscores, and omits undefined, null and empty values. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== "") parameters.append(name, String(value));
  const text = parameters.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}
