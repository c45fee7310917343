import { RE2JS } from "re2js";

/** Bytes of a pattern, and of a text that is tried against one: matching is linear in both, so both are bounded. */
export const PATTERN_BYTES = 500;
const TEXT_BYTES = 2_000;
const PROGRAM_SIZE = 1_000;

const compiled = new Map<string, RE2JS>();
const KEPT = 5_000;

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  if (compiled.size >= KEPT) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Why a pattern is refused; undefined for one that is fine. RE2 syntax: no back references, no look-around. */
export function patternProblem(pattern: string): string | undefined {
  if (Buffer.byteLength(pattern) > PATTERN_BYTES) return `must be at most ${PATTERN_BYTES} bytes long`;
  try {
    return compile(pattern).programSize() > PROGRAM_SIZE
      ? "is too large: use fewer or smaller repetitions"
      : undefined;
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, "");
    return `must be a regular expression (RE2): ${reason}`;
  }
}

/** Whether the whole text matches; a pattern that does not compile matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (Buffer.byteLength(text) > TEXT_BYTES || patternProblem(pattern) !== undefined) return false;
  return compile(pattern).matches(text);
}
