import { RE2JS } from "re2js";

/** As the service bounds them: bytes of a pattern, and of a text that is tried against one. */
const PATTERN_BYTES = 500;
const TEXT_BYTES = 1_000;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

interface Tried {
  readonly fits: boolean;
  /** Why it does not, as far as it can be told. */
  readonly why?: string;
  /** The difference is a small one. */
  readonly near?: boolean;
}

const programs = new Map<string, RE2JS | string>();

/** The compiled pattern, or why it cannot be compiled. The same engine as the service's, so that both agree. */
function compiled(pattern: string, flags = 0): RE2JS | string {
  const key = `${flags} ${pattern}`;
  const known = programs.get(key);
  if (known !== undefined) return known;
  let made: RE2JS | string;
  if (bytes(pattern) > PATTERN_BYTES)
    made = "The pattern is longer than the platform allows, and is not tried here.";
  else
    try {
      made = RE2JS.compile(pattern, flags);
    } catch {
      made = "The pattern is not a valid regular expression (RE2), so nothing matches it.";
    }
  if (programs.size > 2_000) programs.clear();
  programs.set(key, made);
  return made;
}

/** Whether a pattern matches the whole of a text. */
export function tryPattern(pattern: string, text: string): Tried {
  const program = compiled(pattern);
  if (typeof program === "string") return { fits: false, why: program };
  if (bytes(text) > TEXT_BYTES)
    return { fits: false, why: "The value is longer than the platform compares with patterns." };
  if (program.testExact(text)) return { fits: true };
  const loose = compiled(pattern, RE2JS.CASE_INSENSITIVE);
  if (typeof loose !== "string" && loose.testExact(text))
    return { fits: false, near: true, why: "The pattern would match if upper and lower case did not count." };
  const part = program.matcher(text);
  if (part.find() && part.group())
    return {
      fits: false,
      near: true,
      why: `The pattern matches only a part, "${part.group() ?? ""}". It must match the whole value.`,
    };
  return { fits: false, why: "The pattern does not match the value." };
}
