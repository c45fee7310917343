import { RE2JS } from "re2js";
import { reasonOf } from "../../reason";

/** Maximum bytes of a pattern, and of a text to match: matching is linear in both. */
export const PATTERN_BYTES = 500;
const TEXT_BYTES = 1_000;
const PROGRAM_SIZE = 250;

/** Maximum compiled patterns to keep, and roughly the bytes of state they can accumulate: each match adds some. */
const KEPT = 50;
const KEPT_BYTES = 50_000_000;

interface Compiled {
  readonly program: RE2JS | undefined;
  readonly problem: string | undefined;
  readonly size: number;
  /** Roughly the bytes of state that its matches have left. */
  bytes: number;
}

const compiled = new Map<string, Compiled>();

function compile(pattern: string): Compiled {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = compileAnew(pattern);
  const bytes = [...compiled.values()].reduce((sum, each) => sum + each.bytes, 0);
  if (compiled.size >= KEPT || bytes > KEPT_BYTES) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

function compileAnew(pattern: string): Compiled {
  const refused = (problem: string) => ({ program: undefined, problem, size: 0, bytes: 0 });
  if (Buffer.byteLength(pattern) > PATTERN_BYTES)
    return refused(`must be at most ${PATTERN_BYTES} bytes long`);
  if (roughSize(pattern) > 2 * PROGRAM_SIZE) return refused(TOO_LARGE);
  try {
    const program = RE2JS.compile(pattern);
    const size = program.programSize();
    return size > PROGRAM_SIZE ? refused(TOO_LARGE) : { program, problem: undefined, size, bytes: 0 };
  } catch (error) {
    const reason = reasonOf(error).replace(/^error parsing regexp: /, "");
    return refused(`must be a regular expression (RE2): ${reason}`);
  }
}

/** Escapes, flags, group openings, classes, repetitions, and any other character. */
const TOKENS =
  /\\Q[^]{0,1000}?(?:\\E|$)|\\[^]|\(\?[imsU-]+\)|\((?:\?(?:P?<\w+>|[imsU-]*:))?|\[\^?\]?(?:\\[^]|\[:\^?\w{1,20}:\]|[^\]]){0,1000}\]|\{(\d+)(?:,(\d*))?\}|[^]/g;

/**
 * Estimates the instructions of a pattern, in which the compiler unrolls repetitions. Compiling `x{0,999}` sixty times
 * takes two seconds and 60 MB before it is found to be too large; this detects it from the text.
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

/** Returns why a pattern is invalid, or undefined. RE2 syntax: no back references, no look-around. */
export const patternProblem = (pattern: string): string | undefined => compile(pattern).problem;

/** Remaining matching steps. A step is one pattern instruction at one character of the text. */
export interface Budget {
  left: number;
}

/** Steps to compile a pattern. Cached patterns cost the same, so that results do not depend on the cache. */
const COMPILE_STEPS = 5_000;
/** Bytes that one character of a text can add to a program's states: some for each instruction. */
const stateBytes = (size: number): number => 200 + 16 * size;

/** The literal prefix of a pattern, if it is obvious: enough to rule out most identities. */
function literalPrefix(pattern: string): string {
  if (pattern.includes("|")) return "";
  const [prefix = ""] = /^[\w/:@#%&=~,;<>!"' -]*/.exec(pattern) ?? [];
  return /^[*?{]/.test(pattern.slice(prefix.length)) ? prefix.slice(0, -1) : prefix;
}

/**
 * True if the whole text matches within the budget; subtracts the cost from it. A pattern that does not compile matches
 * nothing, and no pattern matches a text of more than 1,000 bytes.
 */
export function matchesPattern(
  pattern: string,
  text: string,
  budget: Budget = { left: Number.MAX_SAFE_INTEGER },
): boolean {
  budget.left -= 1;
  if (budget.left < 0 || Buffer.byteLength(text) > TEXT_BYTES || !text.startsWith(literalPrefix(pattern)))
    return false;
  budget.left -= COMPILE_STEPS;
  if (budget.left < 0) return false;
  const kept = compile(pattern);
  const { program, size } = kept;
  budget.left -= size * (text.length + 1);
  if (!program || budget.left < 0) return false;
  kept.bytes += (text.length + 1) * stateBytes(size);
  return program.testExact(text);
}
