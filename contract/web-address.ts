import { parseUrl } from "./url.ts";

/** Where an address can use http: nowhere, on this machine, or anywhere. */
export type PlainHttp = "never" | "loopback" | "anywhere";

/** Blanks, backslashes, control and invisible characters: browsers drop or replace some of them. */
const MISREAD = /[\s\\\p{Cc}\p{Cf}]/u;
/** With both slashes and an authority, which URL parsers would otherwise add or find elsewhere. */
const FORM = /^(https?):\/\/([^/?#]+)/i;
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Rules {
  readonly http?: PlainHttp;
  /** Whether it can have these parts. */
  readonly query?: boolean;
  readonly fragment?: boolean;
}

/**
 * Why a text is not an address that everybody reads the same way, as the end of "must be an https:// address ...";
 * undefined if it is one. An empty string means that it is no such address at all.
 */
export function webAddressProblem(
  text: string,
  { http = "never", query = true, fragment = true }: Rules = {},
): string | undefined {
  if (MISREAD.test(text)) return "without blanks, line breaks or backslashes";
  const [, scheme = "", authority = ""] = FORM.exec(text) ?? [];
  if (scheme === "") return "";
  if (authority.includes("@")) return "without a user or password";
  const { hostname } = parseUrl(text) ?? {};
  if (hostname === undefined) return "with a valid host";
  const allowed = http === "anywhere" || (http === "loopback" && LOOPBACK.has(hostname));
  if (scheme.toLowerCase() === "http" && !allowed) return "";
  if (!query && /^[^#]*\?/.test(text)) return "without a query";
  if (!fragment && text.includes("#")) return "without a fragment";
  return undefined;
}

/** Parses an untrusted address; undefined for anything that has a problem. */
export const parseWebAddress = (text: string, rules?: Rules): URL | undefined =>
  webAddressProblem(text, rules) === undefined ? new URL(text) : undefined;

/** The form in which an address is stored, which is how a browser reads it. */
export const storedWebAddress = (text: string): string => parseUrl(text)?.href ?? text;

/** The rule of an address, with what is wrong with this one. */
export function webAddressSentence(text: string, rules: Rules = {}): string {
  const problem = webAddressProblem(text, rules);
  const scheme = rules.http === "anywhere" ? "http:// or https://" : "https://";
  const base = `must be an ${scheme} address`;
  return problem ? `${base} ${problem}` : base;
}
