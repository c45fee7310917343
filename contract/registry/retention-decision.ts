import { parentOf } from "../aip";
import type { Repo } from "./repos";
import { PULL_DAYS, type RetentionValues } from "./retention";
import { kindOf } from "./tag-names";
import type { Tag } from "./tags";
import type { UsageRow } from "./usage";
import { compareVersions, versionParts } from "./version-order";

/** What would become of a tag, and why. */
export interface Decision {
  readonly tag: Tag;
  readonly deleted: boolean;
  readonly why: string;
  /** The same for many tags: "Updated too recently", where `why` says when. */
  readonly reason: string;
}

export interface TagFacts {
  readonly tags: readonly Tag[];
  /** By uid; the tag's repo is missing if the reader can't see it. */
  readonly repos: ReadonlyMap<string, Pick<Repo, "name" | "activeTags">>;
  /** Names of the repos that are synced from a repo and have an image of it: by repo and digest, as `keyOf` joins them. */
  readonly copies: ReadonlyMap<string, string>;
  /** When each was last pulled, by uid; undefined unless the rule needs it and the service counts pulls. */
  readonly usage?:
    | ReadonlyMap<
        string,
        {
          readonly row?: Pick<UsageRow, "lastDownloadTime" | "lastAskTime"> | undefined;
          readonly countedSince?: string | undefined;
        }
      >
    | undefined;
  /**
   * Images that were downloaded, by repo and digest as `keyOf` joins them: when last. Clients get a manifest by its digest,
   * also if they asked for a name.
   */
  readonly pulled?: ReadonlyMap<string, Date> | undefined;
  /** Names that a repo once had, by its uid: a name moves although what it moved with was deleted. */
  readonly former?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Tags that a person restored after a run: by repo, name and digest, as `keyOf` joins the repo and `<name> <digest>`. */
  readonly restored?: ReadonlySet<string> | undefined;
  /** The service's time, in milliseconds since 1970. */
  readonly now: number;
}

const DAY = 86_400_000;

export const keyOf = (repo: string, digest: string | undefined): string => `${repo} ${digest ?? ""}`;

const counts = new Intl.NumberFormat("en");
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const CALLED = { dates: "Dated tag", epochs: "Build tag", referrers: "Signature" } as const;
/** As a rule names them. */
const INCLUDED = {
  dates: "RETENTION_NAMES_DATES",
  epochs: "RETENTION_NAMES_EPOCHS",
  referrers: "RETENTION_NAMES_REFERRERS",
} as const;

/** Whether a name has these parts in this order, with any text between them: by looking for each once. */
function isMatch(name: string, [first = "", ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return name === first;
  const last = rest.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest.slice(0, -1)) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from + last.length <= name.length;
}

/** Turns patterns such as `pr-*` into a test of whole names; undefined if there are none. */
export function namesTest(patterns: readonly string[] = []): ((name: string) => boolean) | undefined {
  const each = patterns.map((pattern) => pattern.split("*"));
  return each.length === 0 ? undefined : (name) => each.some((parts) => isMatch(name, parts));
}

/** Names of builds differ in numbers: `-r2` and `-r3` are one variant, `-dev` and `-dev-20260811` are two. */
const variantOf = (rest: string): string => rest.replaceAll(/\d+/g, "#");

/**
 * The line of a name: `1.27` of `1.27.3` and `1.27.4`, `1` by major versions, "" for all versions, each with its variant.
 * For a name without a version, the name with `#` in place of each part that has a digit: `pr-#` for `pr-12`.
 */
export function lineOf(name: string, by: RetentionValues["keepNewestOf"] = "RETENTION_LINE_MINOR"): string {
  const [version, rest] = versionParts(name);
  if (version === "") return name.replaceAll(/[^-_.]+/g, (part) => (/\d/.test(part) ? "#" : part));
  const numbers = version.replace(/^[vV]/, "").split(".");
  const kept = by === "RETENTION_LINE_VARIANT" ? 0 : by === "RETENTION_LINE_MAJOR" ? 1 : 2;
  return `${numbers.slice(0, kept).join(".")} ${variantOf(rest)}`;
}

/** The names that move to each newer version: `1.27` beside `1.27.3`, by repo. */
function movingNames({ tags, former = new Map() }: TagFacts): ReadonlySet<string> {
  const moving = new Set<string>();
  const note = (repo: string, name: string): void => {
    const [version, rest] = versionParts(name);
    const numbers = version.split(".");
    for (let length = 1; length < numbers.length; length += 1)
      moving.add(`${repo} ${numbers.slice(0, length).join(".")}${rest}`);
  };
  for (const { uid, name } of tags) note(parentOf(uid), name);
  for (const [repo, names] of former) for (const name of names) note(repo, name);
  return moving;
}

/** Newest first: by version, names without one by their last update. */
function newestFirst(one: Tag, other: Tag): number {
  const versioned = versionParts(one.name)[0] !== "";
  const byTime = (other.updateTime ?? "").localeCompare(one.updateTime ?? "");
  return versioned ? compareVersions(other.name, one.name) : byTime;
}

/** The uids of the newest of each line. */
function newestOf(
  tags: readonly Tag[],
  line: RetentionValues["keepNewestOf"],
  count: number,
): ReadonlySet<string> {
  const lines = new Map<string, Tag[]>();
  for (const tag of tags) {
    const key = `${parentOf(tag.uid)} ${lineOf(tag.name, line)}`;
    const those = lines.get(key);
    if (those) those.push(tag);
    else lines.set(key, [tag]);
  }
  return new Set(
    [...lines.values()].flatMap((those) =>
      those
        .toSorted(newestFirst)
        .slice(0, count)
        .map(({ uid }) => uid),
    ),
  );
}

/** The digest that a name such as `sha256-4f2a….sig` signs (cosign's fallback names, OCI referrers tag schema). */
function signedBy(name: string): string | undefined {
  const [, hex] = /^sha256-([0-9a-f]{64})/.exec(name) ?? [];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

const MET = "Meets the rule";

/** Which values a tag meets, in the order of the form. */
function metText(rule: RetentionValues, since: string): string {
  const { namePatterns = [], deprecatedOnly, olderThanDays, notPulledDays, keepNewest } = rule;
  const met = [
    ...(namePatterns.length > 0 ? ["its name matches"] : []),
    ...(deprecatedOnly ? ["deprecated"] : []),
    ...(olderThanDays === undefined ? [] : [`not updated for ${since}`]),
    ...(notPulledDays === undefined ? [] : [`not pulled within ${days(notPulledDays * DAY)}`]),
    ...(keepNewest === undefined ? [] : [`not among the newest ${counts.format(keepNewest)} of its line`]),
  ];
  return capitalize(met.join(", "));
}
const TOO_RECENT = "Updated too recently";

const days = (ms: number): string => {
  const count = Math.floor(ms / DAY);
  return count === 1 ? "1 day" : `${counts.format(count)} days`;
};

const PULL_UNKNOWN = "Whether it was pulled isn't known";
const PULLED = "Pulled too recently";
const PUSHED = "Pushed too recently";
const COUNTED_TOO_SHORT = "Pulls haven't been counted for long enough";

/**
 * Why a tag counts as pulled within `age` ms; undefined if it was not. One that was never pulled counts from its push, and
 * from when counting began: nothing is known of pulls before.
 */
export function pulledWithin(
  { uid, updateTime = "" }: Pick<Tag, "uid" | "updateTime">,
  { usage, now }: Pick<TagFacts, "usage" | "now">,
  age: number,
  askedCounts: boolean,
): string | undefined {
  const { row, countedSince = "" } = usage?.get(uid) ?? {};
  const since = Date.parse(countedSince);
  const pushed = Date.parse(updateTime);
  if (Number.isNaN(since) || Number.isNaN(pushed)) return PULL_UNKNOWN;
  const isRecent = (time: number): boolean => now - time < age;
  const pulls = [row?.lastDownloadTime, askedCounts ? row?.lastAskTime : undefined];
  if (pulls.some((time) => time !== undefined && isRecent(Date.parse(time)))) return PULLED;
  if (isRecent(pushed)) return PUSHED;
  return isRecent(since) ? COUNTED_TOO_SHORT : undefined;
}

/** Says of each tag whether a rule deletes it. What is pulled by name, and what a kept tag needs, is always kept. */
export function decide(facts: TagFacts, rule: RetentionValues): readonly Decision[] {
  const { tags, repos, copies, pulled: pulls, restored, now } = facts;
  const included = new Set<string>(rule.includedNames);
  const fits = namesTest(rule.namePatterns);
  const isExempt = namesTest(rule.exemptPatterns);
  const age = rule.olderThanDays === undefined ? undefined : rule.olderThanDays * DAY;
  const unpulled = rule.notPulledDays === undefined ? undefined : rule.notPulledDays * DAY;
  const pullWindow = unpulled ?? PULL_DAYS * DAY;
  const moving = movingNames(facts);
  const isSignature = ({ name }: Tag): boolean => kindOf(name) === "referrers";
  // What the rule leaves out takes no place among the newest.
  const isRanked = ({ name }: Tag): boolean => {
    const kind = kindOf(name);
    return (
      kind !== "referrers" && (kind === undefined || included.has(INCLUDED[kind])) && (fits?.(name) ?? true)
    );
  };
  const ranked = tags.filter(isRanked);
  const newest =
    rule.keepNewest === undefined ? undefined : newestOf(ranked, rule.keepNewestOf, rule.keepNewest);

  /** Why a tag stays whatever the rule is; undefined if nothing protects it. */
  const protection = ({ uid, name, digest }: Tag): string | undefined => {
    const repo = parentOf(uid);
    if (name === "latest") return "latest is never deleted";
    if (repos.get(repo)?.activeTags?.includes(name)) return "Active in its repo";
    if (moving.has(`${repo} ${name}`)) return "Moves with newer versions";
    if (isExempt?.(name)) return "Exempt by name";
    if (restored?.has(keyOf(repo, `${name} ${digest ?? ""}`))) return "Restored after a run";
    const pulledAt = pulls?.get(keyOf(repo, digest))?.getTime();
    if (pulledAt !== undefined && now - pulledAt < pullWindow)
      return `Its image was downloaded within ${days(pullWindow)}`;
    const copy = digest === undefined ? undefined : copies.get(keyOf(repo, digest));
    return copy === undefined ? undefined : `Its image is in ${copy}, which is synced from here`;
  };

  /** Why the rule keeps a tag; undefined if all values that are set hold. */
  const keptBy = (tag: Tag): string | undefined => {
    const { uid, name, deprecated = false, updateTime = "" } = tag;
    const kind = kindOf(name);
    if (kind !== undefined && !included.has(INCLUDED[kind])) return `${CALLED[kind]}, left out by the rule`;
    if (fits && !fits(name)) return "Its name doesn't match";
    if (rule.deprecatedOnly && !deprecated) return "Not deprecated";
    const updated = Date.parse(updateTime);
    if (age !== undefined && Number.isNaN(updated)) return "When it was updated isn't known";
    if (age !== undefined && now - updated < age) return TOO_RECENT;
    const pulled =
      unpulled === undefined ? undefined : pulledWithin(tag, facts, unpulled, !rule.downloadsOnly);
    if (pulled !== undefined) return pulled;
    if (newest?.has(uid)) return `Among the newest ${counts.format(rule.keepNewest ?? 0)} of its line`;
    return undefined;
  };

  const judge = (tag: Tag): Decision => {
    const since = days(now - Date.parse(tag.updateTime ?? ""));
    const kept = protection(tag) ?? keptBy(tag);
    if (kept !== undefined)
      return { tag, deleted: false, why: kept === TOO_RECENT ? `Updated ${since} ago` : kept, reason: kept };
    return {
      tag,
      deleted: true,
      why: metText(rule, since),
      reason: MET,
    };
  };

  const images = new Map(tags.filter((tag) => !isSignature(tag)).map((tag) => [tag.uid, judge(tag)]));
  const staying = new Set(
    [...images.values()].flatMap(({ tag, deleted }) =>
      deleted ? [] : [keyOf(parentOf(tag.uid), tag.digest)],
    ),
  );
  const judgeSignature = (tag: Tag): Decision => {
    const decision = judge(tag);
    if (!decision.deleted || !staying.has(keyOf(parentOf(tag.uid), signedBy(tag.name)))) return decision;
    const why = "Belongs to an image that is kept";
    return { tag, deleted: false, why, reason: why };
  };
  return tags.map((tag) => images.get(tag.uid) ?? judgeSignature(tag));
}

/** The images that keep no tag, as far as the tags read tell. */
export function unnamedImages(decisions: readonly Decision[]): number {
  const key = ({ tag }: Decision): string => keyOf(parentOf(tag.uid), tag.digest);
  const kept = new Set(decisions.flatMap((each) => (each.deleted ? [] : [key(each)])));
  return new Set(decisions.flatMap((each) => (each.deleted && !kept.has(key(each)) ? [key(each)] : []))).size;
}

/** How many tags each reason is of, the most common first. */
export function tally(decisions: readonly Decision[]): readonly (readonly [reason: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of decisions) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

const LINE_WORDS: Readonly<Record<string, string>> = {
  RETENTION_LINE_MINOR: "minor version",
  RETENTION_LINE_MAJOR: "major version",
  RETENTION_LINE_VARIANT: "variant",
};
const INCLUDED_WORDS: Readonly<Record<string, string>> = {
  RETENTION_NAMES_DATES: "dated tags",
  RETENTION_NAMES_EPOCHS: "build tags",
  RETENTION_NAMES_REFERRERS: "signatures",
};

/** A rule in words: "Deletes tags named pr-*, not updated for 30 days." */
export function ruleSentence(rule: RetentionValues): string {
  const { namePatterns = [], exemptPatterns = [], includedNames = [], keepNewest } = rule;
  const met = [
    ...(namePatterns.length > 0 ? [`named ${namePatterns.join(", ")}`] : []),
    ...(rule.deprecatedOnly ? ["deprecated"] : []),
    ...(rule.olderThanDays === undefined ? [] : [`not updated for ${days(rule.olderThanDays * DAY)}`]),
    ...(rule.notPulledDays === undefined ? [] : [`not pulled for ${days(rule.notPulledDays * DAY)}`]),
    ...(keepNewest === undefined
      ? []
      : [
          `beyond the newest ${counts.format(keepNewest)} of each ${LINE_WORDS[rule.keepNewestOf ?? "RETENTION_LINE_MINOR"]}`,
        ]),
  ];
  const more = includedNames.flatMap((name) => INCLUDED_WORDS[name] ?? []);
  return [
    `Deletes tags ${met.join(", ")}${more.length > 0 ? `, ${more.join(" and ")} too` : ""}.`,
    ...(exemptPatterns.length > 0 ? [`Never ${exemptPatterns.join(", ")}.`] : []),
  ].join(" ");
}
