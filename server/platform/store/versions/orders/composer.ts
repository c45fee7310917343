import { compareDigits, comparing, sign } from "./parts";
import { isDigits } from "./semantic";

const MODIFIER = String.raw`[._-]?(?:(stable|beta|b|rc|alpha|a|patch|pl|p)((?:[.-]?\d+)*)?)?([.-]?dev)?`;
const CLASSICAL = new RegExp(String.raw`^v?(\d{1,5})(\.\d+)?(\.\d+)?(\.\d+)?${MODIFIER}$`, "i");
const DATE = new RegExp(String.raw`^v?(\d{4}(?:[.:-]?\d{2}){1,6}(?:[.:-]?\d{1,3})?)${MODIFIER}$`, "i");
const BRANCH = /^v?(\d+)(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?[.-]?dev$/i;

const STABILITY: Readonly<Record<string, string>> = {
  a: "alpha",
  b: "beta",
  p: "patch",
  pl: "patch",
  rc: "RC",
};

/** As `Composer\Semver\VersionParser::normalize` writes it; undefined for branches, which have no order. */
function normalized(text: string): string | undefined {
  const version = text
    .trim()
    .replace(/@(?:stable|rc|beta|alpha|dev)$/i, "")
    .replace(/^([^,\s+]+)\+\S+$/, "$1");
  const classical = CLASSICAL.exec(version);
  const dated = DATE.exec(version);
  if (classical) {
    const [, major = "", minor = ".0", patch = ".0", fourth = ".0", ...modifier] = classical;
    return modified(`${major}${minor}${patch}${fourth}`, modifier);
  }
  if (dated) {
    const [, date = "", ...modifier] = dated;
    return modified(date.replaceAll(/\D/g, "."), modifier);
  }
  const [whole, ...numbers] = BRANCH.exec(version) ?? [];
  if (whole === undefined) return undefined;
  return `${[0, 1, 2, 3].map((at) => (numbers[at] ?? ".x").replace(/[x*]/i, "9999999")).join("")}-dev`;
}

function modified(numbers: string, [stability, count = "", dev]: readonly (string | undefined)[]): string {
  // The parser is that exact: "STABLE" in capitals is a stability like another.
  if (stability === "stable") return numbers;
  const word = stability?.toLowerCase() ?? "";
  const phase = word === "" ? "" : `-${STABILITY[word] ?? word}${count.replace(/^[.-]+/, "")}`;
  return `${numbers}${phase}${dev ? "-dev" : ""}`;
}

/** PHP's `version_compare`: these words in this order, any other before them; "#" is a number. */
const FORMS = ["dev", "alpha", "a", "beta", "b", "RC", "rc", "#", "pl", "p"];
const RANKS = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5];
const formOf = (part: string): number =>
  RANKS[FORMS.findIndex((form) => (isDigits(part) ? "#" : part).startsWith(form))] ?? -1;

function comparePhp(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [one[at], other[at]];
    // More numbers are newer, and more words as if beside a number.
    if (a === undefined || b === undefined) {
      const rest = a ?? b ?? "";
      const order = isDigits(rest) ? 1 : sign(formOf(rest), formOf("0"));
      return a === undefined ? -order : order;
    }
    const order = isDigits(a) && isDigits(b) ? compareDigits(a, b) : sign(formOf(a), formOf(b));
    if (order !== 0) return order;
  }
  return 0;
}

/** https://getcomposer.org/doc/articles/versions.md */
export const compareComposer = comparing(
  (version) => normalized(version)?.match(/\d+|[^\d.+_-]+/g) ?? undefined,
  comparePhp,
);
