/** Prefixes of the runs in a part, in sort order. */
const RANK = { early: "0", end: "1", number: "2", preRelease: "3", word: "4" } as const;
/** After a part: more parts sort before none, so that `1.27-r2` and `1.27-rc1` are older than `1.27` itself. */
const MORE = "5";
const NONE = "6";

/** Words for pre-releases. Within a version itself (`1.21rc2`, `3.14.0a1`, `2.0.0.M3`), short forms count too. */
const PRE_RELEASE = /^(?:alpha|beta|milestone|preview|pre|rc|cr|snapshot)$/;
const EARLY = /^(?:alpha|beta|milestone|preview|pre|rc|cr|snapshot|dev|[abm](?=\d))/;

/** Encodes a number so that strings sort numerically: its length comes first. Drops leading zeros. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  return String.fromCharCode(64 + Math.min(significant.length, 190)) + significant;
}

/** True if a word makes the version before it a pre-release; `1.1.1w` is a later release. */
const isEarly = (word: string, next: string | undefined): boolean =>
  EARLY.exec(word + (next ?? ""))?.[0] === word;

/** The runs of digits and letters in a part, each prefixed with its rank. `first`: the part is the version itself. */
function partKey(part: string, first: boolean): string {
  const runs = part.toLowerCase().match(/\d+|[^\d.]+/g) ?? [];
  const keys = runs.map((run, index) => {
    if (/^\d/.test(run)) return RANK.number + numberKey(run);
    const early = first && index > 0 && isEarly(run, runs[index + 1]);
    const rank = early ? RANK.early : PRE_RELEASE.test(run) ? RANK.preRelease : RANK.word;
    return `${rank}${run}\u0000`;
  });
  return keys.join("") + RANK.end;
}

/**
 * A sort key for the name of a tag: keys sort (`<`) from the oldest version to the newest.
 * - Numbers sort numerically: `v1.9` before `v1.10`, and `20260811` after `1.27`.
 * - Pre-releases sort before the release: `1.21rc2` before `1.21`, `1.27.3-rc.1` before `1.27.3`, and as in Semantic
 *   Versioning (section 11) among themselves.
 * - A name with a dash suffix sorts before the name without it, which always points to the newest of them: `1.27-dev`
 *   and `1.27.3-r2` are a variant and a build of `1.27` and `1.27.3`. Debian and Alpine sort builds the other way
 *   around, but their versions are not names that move.
 * - Names without a version (`latest`) sort last.
 *
 * Tags are not semantic versions: `1`, `1.27-r2-dev`, and `3.19_alpha20231219` are common.
 */
export function versionKey(name: string): string {
  const versioned = /^[vV]?\d/.test(name);
  const parts = name.replace(/^[vV](?=\d)/, "").split(/[-_+]/);
  const key =
    parts
      .filter((part) => part !== "")
      .map((part, index) => partKey(part, versioned && index === 0))
      .join(MORE) + NONE;
  // A tie-breaker, for a stable order of `v1` and `1`.
  return `${versioned ? "0" : "1"}${key}\u0000${name}`;
}

/** Compares two names by version: negative if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [versionKey(a), versionKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The version that a name starts with, and the rest: `3.12-dev` is ["3.12", "-dev"]. */
export const versionParts = (name: string): readonly [version: string, rest: string] => {
  const version = /^[vV]?\d+(?:\.\d+)*/.exec(name)?.[0] ?? "";
  return [version, name.slice(version.length)];
};
