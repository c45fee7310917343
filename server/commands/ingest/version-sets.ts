import type { AffectedRange } from "platform-contract/vulnerabilities/events";

/** Which versions of a package a text is about. */
export type VersionSet =
  | { readonly kind: "all" }
  | { readonly kind: "one"; readonly version: string }
  | { readonly kind: "some"; readonly ranges: readonly AffectedRange[]; readonly versions: readonly string[] }
  /** The source's own words, which nobody here can read. */
  | { readonly kind: "unread"; readonly text: string };

const ALL: VersionSet = { kind: "all" };

/** `>=1.2`; a version alone is itself. */
const CONSTRAINT = /^(<=|>=|<|>|==?|)\s*([^\s<>=!*]+)$/;

/** Pairs bounds as they are written, a lower one with the upper one that follows; undefined if they do not pair. */
function setOf(constraints: readonly string[]): VersionSet | undefined {
  const ranges: AffectedRange[] = [];
  const versions: string[] = [];
  let open: string | undefined;
  for (const constraint of constraints) {
    const [whole, comparator = "", version = ""] = CONSTRAINT.exec(constraint.trim()) ?? [];
    if (whole === undefined) return undefined;
    if (comparator.startsWith(">")) {
      if (open !== undefined) return undefined;
      open = version;
    } else if (comparator.startsWith("<")) {
      const since = open === undefined ? {} : { introduced: open };
      // A second range without a beginning would contain the first.
      if (open === undefined && ranges.length > 0) return undefined;
      ranges.push({ ...since, ...(comparator === "<" ? { limit: version } : { lastAffected: version }) });
      open = undefined;
    } else if (open === undefined) versions.push(version);
    else return undefined;
  }
  if (open !== undefined) ranges.push({ introduced: open });
  return { kind: "some", ranges, versions };
}

/** A `vers` (https://github.com/package-url/vers-spec): constraints in the order of versions, any of which may hold. */
function ofVers(text: string): VersionSet | undefined {
  const [, list] = /^vers:[\w.+-]+\/(.+)$/.exec(text) ?? [];
  if (list === undefined) return undefined;
  if (list === "*") return ALL;
  try {
    return setOf(list.split("|").map(decodeURIComponent));
  } catch {
    return undefined;
  }
}

/** One range in words that are common: `<4.3.1`, `>= 1.0, < 2.0`, `All versions < V2.1`. */
function ofWords(text: string): VersionSet | undefined {
  const words = text.trim().replace(/^all versions\s*/i, "");
  if (words === "" || words === "*") return ALL;
  const constraints = words.match(/(?:<=|>=|<|>)\s*[^\s<>=,]+/g) ?? [];
  const isWhole = words.replaceAll(/(?:<=|>=|<|>)\s*[^\s<>=,]+|[\s,]/g, "") === "";
  const bounds = constraints.filter((one) => one.startsWith("<")).length;
  return isWhole && constraints.length > 0 && bounds <= 1 && constraints.length - bounds <= 1
    ? setOf(constraints.toSorted((one, other) => (one < other ? 1 : -1)))
    : undefined;
}

/** Of the name of a CSAF branch of the category `product_version_range`: a `vers`, or words. */
export const readVersionRange = (text: string): VersionSet =>
  (text.startsWith("vers:") ? ofVers(text) : ofWords(text)) ?? { kind: "unread", text };
