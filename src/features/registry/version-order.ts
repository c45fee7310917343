/** What may follow in a part, from the first to the last. */
const RANK = { early: "0", end: "1", number: "2", preRelease: "3", word: "4" } as const;
/** Behind a part: more of them come before none, so that `1.27-r2` and `1.27-rc1` are older than `1.27` itself. */
const MORE = "5";
const NONE = "6";

/** Words for what comes before a release. In a version itself (`1.21rc2`, `3.14.0a1`, `2.0.0.M3`) they are short, too. */
const PRE_RELEASE = /^(?:alpha|beta|milestone|preview|pre|rc|cr|snapshot)$/;
const EARLY = /^(?:alpha|beta|milestone|preview|pre|rc|cr|snapshot|dev|[abm](?=\d))/;

/** A number so that texts compare as numbers do: its length first. Leading zeros say nothing. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  return String.fromCharCode(64 + Math.min(significant.length, 190)) + significant;
}

/** Whether a word makes of the version before it one that is not there yet; `1.1.1w` is one that came later. */
const isEarly = (word: string, next: string | undefined): boolean =>
  EARLY.exec(word + (next ?? ""))?.[0] === word;

/** The runs of digits and of letters of a part, each with what it is in front. `first`: of the version itself. */
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
 * A text for the name of a tag, such that texts in their order (`<`) are the names from the oldest version to the newest:
 * - numbers as numbers: `v1.9` before `v1.10`, and `20260811` behind `1.27`;
 * - what is not released yet before what is: `1.21rc2` before `1.21`, `1.27.3-rc.1` before `1.27.3`, and as Semantic
 *   Versioning (section 11) has it among themselves;
 * - what follows a dash before the name without it, since that is where the newest of them is pulled from: `1.27-dev`
 *   and `1.27.3-r2` are a kind and a build of `1.27` and `1.27.3`. Debian and Alpine order builds the other way round,
 *   but there a version is no name that moves;
 * - names without a version (`latest`) last.
 *
 * Tags are no semantic versions: `1`, `1.27-r2-dev` and `3.19_alpha20231219` are common.
 */
export function versionKey(name: string): string {
  const versioned = /^[vV]?\d/.test(name);
  const parts = name.replace(/^[vV](?=\d)/, "").split(/[-_+]/);
  const key =
    parts
      .filter((part) => part !== "")
      .map((part, index) => partKey(part, versioned && index === 0))
      .join(MORE) + NONE;
  // Of `v1` and `1` one stands first, always the same.
  return `${versioned ? "0" : "1"}${key}\u0000${name}`;
}

/** Which of two names is the older version: negative when it is `a`. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [versionKey(a), versionKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
