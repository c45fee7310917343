import { parse } from "@renovatebot/pep440";

import { JAVA, type Ecosystem } from "platform-contract/libraries/artifacts";

/** The characters of a version; anything else, or anything longer, is not a version. */
const WRITTEN = /^[0-9A-Za-z!._+~-]{1,200}$/;

/** A number as text that sorts by bytes: the number of digits, then the digits. */
function numberKey(number: string): string {
  const digits = number.replace(/^0+(?=\d)/, "");
  return `${String(digits.length).padStart(3, "0")}${digits}`;
}

/**
 * A version as text that sorts by bytes in the order of its ecosystem; versions that are equal there have the same
 * text. Undefined if it is not a version.
 */
export function versionKey(ecosystem: Ecosystem, version: string): string | undefined {
  if (!WRITTEN.test(version)) return undefined;
  return ecosystem === JAVA ? mavenKey(version) : pythonKey(version);
}

const PHASES: Readonly<Record<string, string>> = { a: "1", b: "2", rc: "3" };
const [FIRST, LAST] = ["0", "9"];

/**
 * PEP 440, "Summary of permitted suffixes and relative ordering": a missing part is FIRST or LAST, to sort before or
 * after any present one.
 */
function pythonKey(version: string): string | undefined {
  const read = parse(version);
  if (!read) return undefined;
  // Missing parts are undefined, whatever the package's types say.
  const { epoch, release, local } = read;
  const [pre = [], post = [], dev = []] = [read.pre, read.post, read.dev].map((part) => part ?? []);
  const counted = [epoch, ...release, pre[1], post[1], dev[1]];
  if (!counted.every((each) => each === undefined || Number.isSafeInteger(each))) return undefined;
  const numbers = [...release];
  while (numbers.length > 1 && numbers.at(-1) === 0) numbers.pop();
  const number = (value: unknown) => numberKey(String(value));
  // A development release sorts before the release's pre-releases.
  const phase = pre.length > 0 ? `${PHASES[String(pre[0])]}${number(pre[1])}` : undefined;
  const onlyDev = post.length === 0 && dev.length > 0;
  return [
    number(epoch),
    ...numbers.map((each) => `1${number(each)}`),
    FIRST,
    phase ?? (onlyDev ? FIRST : LAST),
    post.length > 0 ? `1${number(post[1])}` : FIRST,
    dev.length > 0 ? `1${number(dev[1])}` : LAST,
    ...localParts(local).map((part) => (/^\d+$/.test(part) ? `2${number(part)}` : `1${part}!`)),
    FIRST,
  ].join("");
}

const localParts = (local: unknown): string[] =>
  local === null || local === undefined
    ? []
    : (Array.isArray(local) ? local : [local]).map((part) => String(part).toLowerCase());

/** A part of a Maven version: the text between separators or between a digit and a letter. */
interface Token {
  /** True if it follows a dot, not a hyphen or a change between digits and letters. */
  readonly dotted: boolean;
  readonly text: string;
  readonly isNumber: boolean;
}

/** Qualifiers before the release; others follow it in alphabetical order. */
const BEFORE = ["alpha", "beta", "milestone", "rc", "snapshot"];
const NULLS = new Set(["", "final", "ga", "release"]);
const SHORT: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

// Order at one position: known qualifiers before the release, its end, "sp", other qualifiers, numbers after "-",
// numbers after ".".
const END = "6";

/**
 * Maven's order (POM reference, "Version Order Specification"). No maintained package orders Maven versions and also
 * makes keys for them, which list pages need.
 */
function mavenKey(version: string): string | undefined {
  // Ends a word in tokenKey().
  if (version.includes("!")) return undefined;
  return `${trimmed(tokensOf(version.toLowerCase())).map(tokenKey).join("")}${END}`;
}

function tokensOf(version: string): Token[] {
  const tokens: Token[] = [];
  for (const [index, part] of version.split(/(?=[.-])/).entries()) {
    const text = part.replace(/^[.-]/, "");
    // An empty part means zero.
    const pieces = text === "" ? ["0"] : (text.match(/\d+|\D+/g) ?? []);
    for (const [at, piece] of pieces.entries()) {
      const isNumber = /^\d/.test(piece);
      const numbered = /^\d/.test(pieces[at + 1] ?? "");
      const word = piece === "cr" ? "rc" : ((numbered ? SHORT[piece] : undefined) ?? piece);
      const dotted = isNumber && at === 0 && (index === 0 || part.startsWith("."));
      tokens.push({ dotted, text: isNumber ? piece : word, isNumber });
    }
  }
  return tokens;
}

const isNull = ({ text, isNumber }: Token): boolean => (isNumber ? /^0+$/.test(text) : NULLS.has(text));

/** Drops tokens without meaning at the end of the version, or before a hyphen: 1.0-final, 1.0.0-rc1. */
function trimmed(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (const token of tokens.toReversed()) {
    const ends = kept.length === 0 || !kept.at(-1)?.dotted;
    if (!ends || !isNull(token)) kept.push(token);
  }
  return kept.toReversed();
}

function tokenKey({ dotted, text, isNumber }: Token): string {
  if (isNumber) return `${dotted ? "9" : "8"}${numberKey(text)}`;
  const known = BEFORE.indexOf(text);
  if (known >= 0) return String(known + 1);
  return NULLS.has(text) ? END : `7${text === "sp" ? "!" : text}!`;
}
