import { RE2JS } from "re2js";

/** Bytes of a pattern, and of a text that is tried against one: matching is linear in both, so both are bounded. */
export const PATTERN_BYTES = 500;
const TEXT_BYTES = 2_000;
const PROGRAM_SIZE = 1_000;

const compiled = new Map<string, RE2JS>();
/** Instructions that are kept compiled, about 20 MB. */
const KEPT = 200_000;
let kept = 0;

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  kept += made.programSize();
  if (kept > KEPT) {
    compiled.clear();
    kept = made.programSize();
  }
  compiled.set(pattern, made);
  return made;
}

/** Escapes, flags, how groups begin, classes, repetitions, and every other character. */
const TOKENS =
  /\\Q[^]*?(?:\\E|$)|\\[^]|\(\?[imsU-]+\)|\((?:\?(?:P?<\w+>|[imsU-]*:))?|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]])*\]|\{(\d+)(?:,(\d*))?\}|[^]/g;

/**
 * About how many instructions a pattern has: what is repeated is written out as often when it is compiled. `x{0,999}`
 * sixty times takes two seconds and 60 MB to be found too large; this tells it from the text.
 */
function roughSize(pattern: string): number {
  const sizes = [0];
  let last = 0;
  const add = (size: number) => sizes.push((sizes.pop() ?? 0) + size);
  for (const [token, least, most] of pattern.matchAll(TOKENS)) {
    if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      add(last * (times - 1));
      last *= times;
    } else if (token.startsWith("(")) {
      if (!token.endsWith(")")) sizes.push(0);
    } else {
      last = token === ")" && sizes.length > 1 ? (sizes.pop() ?? 0) : 1;
      add(last);
    }
  }
  return sizes.reduce((sum, size) => sum + size, 0);
}

const TOO_LARGE = "is too large: use fewer or smaller repetitions";

/** Why a pattern is refused; undefined for one that is fine. RE2 syntax: no back references, no look-around. */
export function patternProblem(pattern: string): string | undefined {
  if (Buffer.byteLength(pattern) > PATTERN_BYTES) return `must be at most ${PATTERN_BYTES} bytes long`;
  if (roughSize(pattern) > 2 * PROGRAM_SIZE) return TOO_LARGE;
  try {
    return compile(pattern).programSize() > PROGRAM_SIZE ? TOO_LARGE : undefined;
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
