import { compareDigits, comparing, sign } from "./parts";

/** A number, a qualifier, or a list that a hyphen or a change between digits and letters begins. */
type Item = bigint | string | Item[];

/** Qualifiers in order; the empty one is the release, and any other comes after them, by its text. */
const QUALIFIERS = ["alpha", "beta", "milestone", "rc", "snapshot", "", "sp"];
const ALIASES: Readonly<Record<string, string>> = { ga: "", final: "", release: "", cr: "rc" };
const SHORT: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

const isEmpty = (item: Item): boolean =>
  typeof item === "bigint" ? item === 0n : typeof item === "string" ? item === "" : item.length === 0;

/** Drops what means nothing at the end, also before lists: 1.0-rc1 is 1-rc1. */
function normalize(list: Item[]): void {
  for (let at = list.length - 1; at >= 0; at--) {
    const item = list[at] as Item;
    if (isEmpty(item)) list.splice(at, 1);
    else if (!Array.isArray(item)) break;
  }
}

function read(version: string): Item[] | undefined {
  if (!/^[\w.!+~-]{1,200}$/.test(version) || !/^[a-z\d]/i.test(version)) return undefined;
  const root: Item[] = [];
  const lists = [root];
  let list = root;
  const open = () => {
    const inner: Item[] = [];
    list.push(inner);
    lists.push(inner);
    list = inner;
  };
  const add = (text: string, isBeforeDigit: boolean) => {
    if (/^\d/.test(text)) return void list.push(BigInt(text));
    const word = (isBeforeDigit ? SHORT[text] : undefined) ?? text;
    list.push(ALIASES[word] ?? word);
  };
  const parts = version.toLowerCase().match(/\d+|[^\d.-]+|[.-]/g) ?? [];
  let isOpen = false;
  for (const [at, part] of parts.entries()) {
    if (part === "." || part === "-") {
      // Nothing between two separators is zero.
      if (!isOpen) list.push(0n);
      isOpen = false;
      if (part === "-") open();
      continue;
    }
    const next = parts[at + 1] ?? "";
    // A qualifier that a digit or the end follows begins a list after a dot too: 1.x1 is 1-x1.
    if (isOpen || (/^\D/.test(part) && !/^[.-]/.test(next) && list.length > 0)) open();
    add(part, /^\d/.test(next));
    isOpen = true;
  }
  for (const inner of lists.toReversed()) normalize(inner);
  return root;
}

const rankOf = (qualifier: string): string => {
  const at = QUALIFIERS.indexOf(qualifier);
  return at < 0 ? `${QUALIFIERS.length}-${qualifier}` : String(at);
};

/** Numbers after lists after qualifiers. */
const kindOf = (item: Item): number => (typeof item === "string" ? 0 : Array.isArray(item) ? 1 : 2);

/** Compares with nothing: a pre-release is before it, and other items after it. */
function compareToNothing(item: Item): number {
  if (typeof item === "bigint") return Number(item !== 0n);
  if (typeof item === "string") return sign(rankOf(item), rankOf(""));
  for (const inner of item) {
    const order = compareToNothing(inner);
    if (order !== 0) return order;
  }
  return 0;
}

function compareItems(one: Item | undefined, other: Item | undefined): number {
  if (one === undefined || other === undefined) {
    if (one !== undefined) return compareToNothing(one);
    return other === undefined ? 0 : -compareToNothing(other);
  }
  if (Array.isArray(one) && Array.isArray(other)) return compareItemLists(one, other);
  if (typeof one === "string" && typeof other === "string") return sign(rankOf(one), rankOf(other));
  if (typeof one === "bigint" && typeof other === "bigint") return compareDigits(String(one), String(other));
  return sign(kindOf(one), kindOf(other));
}

function compareItemLists(one: readonly Item[], other: readonly Item[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const order = compareItems(one[at], other[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** As Maven's `ComparableVersion` (https://maven.apache.org/pom.html#version-order-specification), whatever is written. */
export const compareMaven = comparing(read, compareItemLists);
