/** What may follow in a part, from the first to the last: its end, a number, a word. */
const RANK = { end: "1", number: "2", word: "3" } as const;
/** Behind a part: more of them come before none, so that `1.27-r2` and `1.27-rc1` are older than `1.27` itself. */
const MORE = "4";
const NONE = "5";

/** A number so that texts compare as numbers do: its length first. Leading zeros say nothing. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  return String.fromCharCode(64 + Math.min(significant.length, 190)) + significant;
}

/** The runs of digits and of letters of a part, each with what it is in front. */
const partKey = (part: string): string =>
  (part.match(/\d+|[^\d.]+/g) ?? [])
    .map((run) => (/^\d/.test(run) ? RANK.number + numberKey(run) : `${RANK.word}${run.toLowerCase()}\u0000`))
    .join("") + RANK.end;

/**
 * A text for the name of a tag, such that texts in their order (`<`) are the names from the oldest version to the newest:
 * numbers as numbers (`v1.9` before `v1.10`), what follows a dash before the version without it, as it is a build or a
 * kind of it (`1.27-dev`, `1.27`, `1.27.3`), names without a version (`latest`) last. Tags are no semantic versions:
 * `1`, `1.27-r2-dev` and `20260811` are common.
 */
export function versionKey(name: string): string {
  const parts = name.replace(/^[vV](?=\d)/, "").split(/[-_+]/);
  const key =
    parts
      .filter((part) => part !== "")
      .map(partKey)
      .join(MORE) + NONE;
  // Of `v1` and `1` one stands first, always the same.
  return `${/^[vV]?\d/.test(name) ? "0" : "1"}${key}\u0000${name}`;
}

/** Which of two names is the older version: negative when it is `a`. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [versionKey(a), versionKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
