import { isWithin, parentOf } from "platform-contract/aip";
import { reaches } from "~/domains/access/grants/reach";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { exactTime, readTime } from "~/ui/display/time-text";

import { momentWords, type About, type Moment } from "./data";
import type { AccessAnswer } from "./file";

/** What no answer can know. */
export const ALWAYS =
  "For what a role allowed at the time, see the role's history. Who signed in as a machine isn't recorded. “Until” is when that role binding ended; the same role granted again is another one.";

/** If the user sees the roles of some folders below, but none of the folder itself or above it. */
export const BELOW_ONLY =
  "Roles granted in the folder itself and further up are missing because your role doesn't let you see them.";

/**
 * When the log begins, if that is later than what was asked about: before it, only bindings that still exist tell.
 * @param start the time that was asked about
 */
export function logBegin({ complete, knownSince }: AccessAnswer, start: string): Date | undefined {
  const since = readTime(knownSince);
  return complete === false && since !== undefined && since > new Date(start) ? since : undefined;
}

/** Why an answer may lack something, a sentence each. */
export function gapsOf(answer: AccessAnswer, start: string): string[] {
  const { complete, topGroup, belowLeftOut, held = [] } = answer;
  const begin = logBegin(answer, start);
  const asked = exactTime(new Date(start));
  return [
    ...(begin
      ? [
          `The audit log begins on ${exactTime(begin)}. Access that was removed before then is not shown: the log can't tell who had it.`,
        ]
      : []),
    ...(held.some(({ startUnknown }) => startUnknown)
      ? [
          `Some of these roles were removed later, and when they were granted isn't recorded: it might have been after ${asked}. They are marked.`,
        ]
      : []),
    ...(held.some(({ changeUnknown }) => changeUnknown)
      ? [
          `Some of these role bindings were changed, or may have been, after ${asked} and before ${begin ? `${exactTime(begin)}, when the audit log begins` : "their first entry in the audit log"}: the log can't tell who had them, or with which role. They are marked.`,
        ]
      : []),
    ...(complete === false && !begin
      ? [
          `The log doesn't list every change since ${asked} (an operation changed too many role bindings, or there are more than 50,000 roles), so roles may be missing.`,
        ]
      : []),
    ...(belowLeftOut
      ? [
          `Folders below are left out: more than 10,000 changes of access were made there since ${asked}. Choose one of them, or a later time.`,
        ]
      : []),
    ...(topGroup !== undefined && parentOf(topGroup) !== ""
      ? ["Roles granted further up are missing because your role doesn't let you see them."]
      : []),
  ];
}

interface Asked {
  readonly about: About;
  /** What it is about, by name. */
  readonly name: string;
  readonly moment: Moment;
}

/**
 * How many had access, in a sentence or two; no more than is known.
 * @param start the time that was asked about
 */
export function summaryOf({ about, name, moment }: Asked, answer: AccessAnswer, start: string): string {
  const { held = [], belowLeftOut, topGroup } = answer;
  const when = `${moment.clock === undefined ? "at any time " : ""}${momentWords(moment)}`;
  if (!("group" in about)) return `Roles held ${when}, in groups whose role bindings you can see.`;
  const sure = held.filter(
    (one) => !one.startUnknown && !one.changeUnknown && reaches(one.identity, one.group),
  );
  const here = new Set(
    sure.filter((one) => isWithin(about.group, one.group)).map(({ identity }) => identity),
  );
  const all = new Set(sure.map(({ identity }) => identity));
  const below = all.size - here.size;
  // Marked in the table: more than the table shows is never claimed, nor less.
  const maybe = new Set(held.map(({ identity }) => identity).filter((one) => !all.has(one))).size;
  if (logBegin(answer, start) && sure.length === 0) return `${when.charAt(0).toUpperCase()}${when.slice(1)}.`;
  if (topGroup === undefined)
    return `At least ${formatQuantity(below, "identity", "identities")}, ${when}, through roles granted in folders below ${name}.`;
  // What is left out further down is said by itself.
  const unsure = gapsOf({ ...answer, belowLeftOut: false }, start).length > 0;
  const who = formatQuantity(here.size, "identity", "identities");
  const rest =
    !about.below || belowLeftOut
      ? "What was granted in a folder below it is not listed."
      : below > 0
        ? `${unsure ? `At least ${formatCount(below)}` : formatCount(below)} more had a role only in folders below it.`
        : `Nobody else ${unsure ? "is known to have had" : "had"} a role in a folder below it.`;
  const marked =
    maybe === 0 ? "" : ` ${formatCount(maybe)} more ${maybe === 1 ? "is" : "are"} marked as uncertain below.`;
  return `${unsure ? "At least " : ""}${who}, ${when}, through roles granted in ${name}${parentOf(about.group) === "" ? "" : " or above it"}. ${rest}${marked}`;
}
