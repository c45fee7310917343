import { parentOf } from "platform-contract/aip";
import type { Repo } from "platform-contract/registry/repos";
import type { Tag } from "platform-contract/registry/tags";
import type { Usage } from "~/domains/registry/usage/queries";
import { kindOf } from "~/domains/registry/references/tag-names";
import { compareVersions, versionParts } from "~/domains/registry/references/version-order";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount } from "~/ui/display/numbers";

import type { KindName, Line, Rules } from "./rules";

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
  /** When each was last pulled, by uid; undefined unless the rules need it and the service counts pulls. */
  readonly usage?: ReadonlyMap<string, Pick<Usage, "row" | "countedSince">> | undefined;
  /** The service's time, in milliseconds since 1970. */
  readonly now: number;
}

const DAY = 86_400_000;

export const keyOf = (repo: string, digest: string | undefined): string => `${repo} ${digest ?? ""}`;

const CALLED: Readonly<Record<KindName, string>> = {
  dates: "Dated tag",
  epochs: "Build tag",
  referrers: "Signature",
};

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

/** Turns `pr-*, *-dev` into a test of whole names; undefined if it says nothing. */
export function namesTest(patterns: string): ((name: string) => boolean) | undefined {
  const each = patterns.split(",").flatMap((text) => {
    const pattern = text.trim();
    if (pattern === "") return [];
    return [pattern.split("*")];
  });
  return each.length === 0 ? undefined : (name) => each.some((parts) => isMatch(name, parts));
}

/** Names of builds differ in numbers: `-r2` and `-r3` are one variant, `-dev` and `-dev-20260811` are two. */
const variantOf = (rest: string): string => rest.replaceAll(/\d+/g, "#");

/**
 * The line of a name: `1.27` of `1.27.3` and `1.27.4`, `1` by major versions, "" for all versions, each with its variant.
 * For a name without a version, the name with `#` in place of each part that has a digit: `pr-#` for `pr-12`.
 */
export function lineOf(name: string, by: Line): string {
  const [version, rest] = versionParts(name);
  if (version === "") return name.replaceAll(/[^-_.]+/g, (part) => (/\d/.test(part) ? "#" : part));
  const numbers = version.replace(/^[vV]/, "").split(".");
  const kept = by === "minor" ? 2 : by === "major" ? 1 : 0;
  return `${numbers.slice(0, kept).join(".")} ${variantOf(rest)}`;
}

/** The names that move to each newer version: `1.27` beside `1.27.3`, by repo. */
function movingNames(tags: readonly Tag[]): ReadonlySet<string> {
  const moving = new Set<string>();
  for (const { uid, name } of tags) {
    const [version, rest] = versionParts(name);
    const numbers = version.split(".");
    for (let length = 1; length < numbers.length; length += 1)
      moving.add(`${parentOf(uid)} ${numbers.slice(0, length).join(".")}${rest}`);
  }
  return moving;
}

/** Newest first: by version, names without one by their last update. */
function newestFirst(one: Tag, other: Tag): number {
  const versioned = versionParts(one.name)[0] !== "";
  const byTime = (other.updateTime ?? "").localeCompare(one.updateTime ?? "");
  return versioned ? compareVersions(other.name, one.name) : byTime;
}

/** The uids of the newest of each line. */
function newestOf(tags: readonly Tag[], line: Line, count: number): ReadonlySet<string> {
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

const ALL_HOLD = "Meets every rule";

/** Which rules a tag meets, in the order of the form. */
function metText(rules: Rules, since: string): string {
  const { names, deprecated, olderThanDays, notPulledDays, keepNewest } = rules;
  const met = [
    ...(names.trim() === "" ? [] : ["its name matches"]),
    ...(deprecated ? ["deprecated"] : []),
    ...(olderThanDays === "" ? [] : [`not updated for ${since}`]),
    ...(notPulledDays === "" ? [] : [`not pulled within ${days(Number(notPulledDays) * DAY)}`]),
    ...(keepNewest === "" ? [] : [`not among the newest ${formatCount(Number(keepNewest))} of its line`]),
  ];
  return capitalize(met.join(", "));
}
const TOO_RECENT = "Updated too recently";

const days = (ms: number): string => {
  const count = Math.floor(ms / DAY);
  return count === 1 ? "1 day" : `${formatCount(count)} days`;
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

/** Says of each tag whether the rules delete it. What is pulled by name, and what a kept tag needs, is always kept. */
export function decide(facts: TagFacts, rules: Rules): readonly Decision[] {
  const { tags, repos, copies, now } = facts;
  const included = new Set<string>(rules.kinds);
  const fits = namesTest(rules.names);
  const age = rules.olderThanDays === "" ? undefined : Number(rules.olderThanDays) * DAY;
  const unpulled = rules.notPulledDays === "" ? undefined : Number(rules.notPulledDays) * DAY;
  const moving = movingNames(tags);
  const isSignature = ({ name }: Tag): boolean => kindOf(name) === "referrers";
  // What the rules leave out takes no place among the newest.
  const isRanked = ({ name }: Tag): boolean => {
    const kind = kindOf(name);
    return kind !== "referrers" && (kind === undefined || included.has(kind)) && (fits?.(name) ?? true);
  };
  const ranked = tags.filter(isRanked);
  const newest = rules.keepNewest === "" ? undefined : newestOf(ranked, rules.line, Number(rules.keepNewest));

  /** Why a tag stays whatever the rules are; undefined if nothing protects it. */
  const protection = ({ uid, name, digest }: Tag): string | undefined => {
    const repo = parentOf(uid);
    if (name === "latest") return "latest is never deleted";
    if (repos.get(repo)?.activeTags?.includes(name)) return "Active in its repo";
    if (moving.has(`${repo} ${name}`)) return "Moves with newer versions";
    const copy = digest === undefined ? undefined : copies.get(keyOf(repo, digest));
    return copy === undefined ? undefined : `Its image is in ${copy}, which is synced from here`;
  };

  /** Why the rules keep a tag; undefined if all that are set hold. */
  const keptBy = (tag: Tag): string | undefined => {
    const { uid, name, deprecated = false, updateTime = "" } = tag;
    const kind = kindOf(name);
    if (kind !== undefined && !included.has(kind)) return `${CALLED[kind]}, left out by the rules`;
    if (fits && !fits(name)) return "Its name doesn't match";
    if (rules.deprecated && !deprecated) return "Not deprecated";
    const updated = Date.parse(updateTime);
    if (age !== undefined && Number.isNaN(updated)) return "When it was updated isn't known";
    if (age !== undefined && now - updated < age) return TOO_RECENT;
    const pulled = unpulled === undefined ? undefined : pulledWithin(tag, facts, unpulled, rules.askedCounts);
    if (pulled !== undefined) return pulled;
    if (newest?.has(uid)) return `Among the newest ${formatCount(Number(rules.keepNewest))} of its line`;
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
      why: metText(rules, since),
      reason: ALL_HOLD,
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
