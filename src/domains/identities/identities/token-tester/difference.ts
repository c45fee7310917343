import { diffChars } from "diff";

/** A part of a text. `differs`: true if the other text doesn't have it there. */
export interface Segment {
  readonly text: string;
  readonly differs: boolean;
}

/** Maximum length in characters for a character-level diff. */
const MAX_CHARS = 1_000;

/** Splits two texts into segments that the other one has or lacks. */
export function segmentsOf(wanted: string, found: string): readonly [Segment[], Segment[]] {
  const whole = (text: string): Segment[] => (text === "" ? [] : [{ text, differs: wanted !== found }]);
  if (
    wanted === found ||
    Math.max(wanted.length, found.length) > MAX_CHARS ||
    similarity(wanted, found) < 0.3
  )
    return [whole(wanted), whole(found)];
  const changes = diffChars(wanted, found);
  const side = (mine: "added" | "removed", other: "added" | "removed") =>
    changes.flatMap((change) => (change[other] ? [] : [{ text: change.value, differs: change[mine] }]));
  return [side("removed", "added"), side("added", "removed")];
}

/** Similarity of two texts by common prefix and suffix, from 0 to 1. */
export function similarity(a: string, b: string): number {
  const most = Math.max(a.length, b.length);
  if (most === 0) return 1;
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return (head + tail) / most;
}

/** Describes how two texts differ, in a sentence. `near`: true if they were probably meant to be equal. */
export interface ClaimDifference {
  readonly why: string;
  readonly near: boolean;
  /** Set if the fix is something other than making them equal. */
  readonly kind?: "ids" | "names" | "wildcard" | undefined;
}

const GITHUB = /^repo:([^/:]+)\/([^/:]+)(?::(.*))?$/s;
const withoutIds = (name: string): string => name.replace(/@\d+$/, "");

/** Parses a subject of GitHub Actions, ignoring ids; undefined for other texts. */
function github(subject: string) {
  const [, owner, name, context] = GITHUB.exec(subject) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  const repository = `${withoutIds(owner)}/${withoutIds(name)}`;
  return { repository, context, ids: /@\d+$/.test(owner) && /@\d+$/.test(name) };
}

/** Formats `ref:refs/heads/main` as "branch main". */
function contextWords(context: string | undefined): string {
  if (context === undefined) return "no branch, tag or environment";
  if (context === "pull_request") return "pull requests";
  const [, kind = "", name] = /^(ref:refs\/heads\/|ref:refs\/tags\/|environment:)(.*)$/s.exec(context) ?? [];
  if (name === undefined) return `"${context}"`;
  return `${kind.includes("heads") ? "branch" : kind.includes("tags") ? "tag" : "environment"} ${name}`;
}

/** Compares two subjects of the same GitHub repository. */
function githubDifference(wanted: string, found: string): ClaimDifference | undefined {
  const [mine, theirs] = [github(wanted), github(found)];
  if (!mine || !theirs) return undefined;
  const same = mine.repository === theirs.repository;
  if (!same && mine.repository.toLowerCase() !== theirs.repository.toLowerCase())
    return similarity(mine.repository, theirs.repository) < 0.8
      ? { why: `The token is for the repository ${theirs.repository}.`, near: false }
      : undefined;
  const other =
    mine.context === theirs.context
      ? ""
      : ` It is for ${contextWords(theirs.context)}, and the identity accepts ${contextWords(mine.context)}.`;
  if (mine.ids && !theirs.ids)
    return {
      why: `The token names owner and repository without their ids, which the identity requires.${other}`,
      near: true,
      kind: "names",
    };
  if (theirs.ids && !mine.ids)
    return {
      why: `The token names owner and repository with their ids, and the identity expects names alone.${other}`,
      near: true,
      kind: "ids",
    };
  return same && other !== "" ? { why: `Same repository.${other}`, near: true } : undefined;
}

const glob = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split("*")
      .map((part) => part.replace(/[\\.+?()|[\]{}^$]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );

/** Describes how a token's value differs from the one that an identity expects. */
export function differenceOf(wanted: string, found: string): ClaimDifference {
  const near = (why: string, kind?: ClaimDifference["kind"]): ClaimDifference => ({ why, near: true, kind });
  if (`${wanted}/` === found) return near("The token's value ends with a slash, but the identity's doesn't.");
  if (wanted === `${found}/`) return near("The identity's value ends with a slash, but the token's doesn't.");
  if (wanted.trim() === found.trim())
    return near("One of the two values begins or ends with a space or a line break.");
  // Limits the number of wildcards: more could block the browser.
  if (wanted.includes("*") && wanted.split("*").length <= 4 && glob(wanted).test(found))
    return near("The identity compares this value exactly: * isn't a wildcard here.", "wildcard");
  const special = githubDifference(wanted, found);
  if (special) return special;
  if (wanted.toLowerCase() === found.toLowerCase())
    return near("Only the case differs. Values are compared character by character.");
  if (wanted.replaceAll("pull-request", "pull_request") === found)
    return near(
      "The identity says pull-request, with a hyphen. The token has pull_request, with an underscore.",
    );
  if (wanted.replace(/^http:/, "https:") === found.replace(/^http:/, "https:"))
    return near("One of the two begins with http, the other with https.");
  if (wanted !== "" && found.startsWith(wanted))
    return near(`The token's value continues with "${found.slice(wanted.length)}".`);
  if (found !== "" && wanted.startsWith(found))
    return near(`The identity expects more: "${wanted.slice(found.length)}".`);
  return similarity(wanted, found) >= 0.7
    ? near("The marked characters differ.")
    : { why: "The values are different.", near: false };
}
