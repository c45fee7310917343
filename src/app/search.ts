/**
 * The console's view state as plain text: one parameter, one string. The router's own reading turns `name=1e5` into a
 * number; here each route's schema converts what it needs.
 */
export function parseSearch(text: string): Record<string, string> {
  const search: Record<string, string> = {};
  // Of a parameter that somebody wrote twice the first counts.
  for (const [name, value] of new URLSearchParams(text)) search[name] ??= value;
  return search;
}

/** Spaces as `+`, commas and underscores as they are; what is undefined or empty is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== "") parameters.append(name, String(value));
  const text = parameters.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}
