import { RE2JS } from "re2js";

/** The service's limits in bytes, for a pattern and for a text to match. */
const PATTERN_BYTES = 500;
const TEXT_BYTES = 1_000;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

interface Tried {
  readonly fits: boolean;
  /** Why it doesn't match, if known. */
  readonly why?: string;
  /** True if the difference is small. */
  readonly near?: boolean;
}

const programs = new Map<string, RE2JS | string>();

/** Returns the compiled pattern, or why it is invalid. Uses the same engine as the service, so that both agree. */
function compiled(pattern: string, flags = 0): RE2JS | string {
  const key = `${flags} ${pattern}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  let made: RE2JS | string;
  if (bytes(pattern) > PATTERN_BYTES)
    made = "The pattern is longer than the platform allows, so it wasn't tried.";
  else
    try {
      made = RE2JS.compile(pattern, flags);
    } catch {
      made = "The pattern isn't a valid regular expression (RE2), so nothing matches it.";
    }
  if (programs.size > 2_000) programs.clear();
  programs.set(key, made);
  return made;
}

/** Tests if a pattern matches a whole text. */
export function tryPattern(pattern: string, text: string): Tried {
  const program = compiled(pattern);
  if (typeof program === "string") return { fits: false, why: program };
  if (bytes(text) > TEXT_BYTES)
    return { fits: false, why: "The value is too long for the platform to compare with a pattern." };
  if (program.testExact(text)) return { fits: true };
  const loose = compiled(pattern, RE2JS.CASE_INSENSITIVE);
  if (typeof loose !== "string" && loose.testExact(text))
    return { fits: false, near: true, why: "The pattern would match if it ignored case." };
  const part = program.matcher(text);
  if (part.find() && part.group())
    return {
      fits: false,
      near: true,
      why: `The pattern matches only a part, "${part.group() ?? ""}". It must match the whole value.`,
    };
  return { fits: false, why: "The pattern doesn't match the value." };
}
