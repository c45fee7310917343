/**
 * Like URL.parse(), which Node 20 lacks: undefined instead of an exception. URL.canParse() is no way to ask first: Node
 * 20.20 takes letters beyond ASCII for invalid once it is optimized.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
