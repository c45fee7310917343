import { parentOf } from "platform-contract/aip";
import { exactTime, readTime } from "~/ui/display/time-text";

import type { AccessAnswer } from "./access-file";

/** What no answer can know. */
export const ALWAYS =
  "What a role allowed then is in the role's history. Who signed in as a machine isn't recorded. “Until” is the end of that grant: someone who was given the role again holds it through another one.";

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
  return [
    ...(begin
      ? [
          `The audit log begins on ${exactTime(begin)}. Access that was removed before then is not shown: nobody knows who had it.`,
        ]
      : []),
    ...(held.some(({ startUnknown }) => startUnknown)
      ? [
          "Some of these roles were removed later, and it is not recorded when they were given: perhaps after that time. They are marked.",
        ]
      : []),
    ...(held.some(({ changeUnknown }) => changeUnknown)
      ? [
          "Some of these role bindings were changed, or may have been, after that time and before the log began: it is not recorded whose they were and which role they gave. They are marked.",
        ]
      : []),
    ...(complete === false && !begin
      ? [
          "The log doesn't list every change since that time (an operation changed too many role bindings, or there are more than 50,000 roles), so roles may be missing.",
        ]
      : []),
    ...(belowLeftOut
      ? [
          "Folders below are left out: more than 10,000 changes of access were made there since then. Choose one of them, or a later time.",
        ]
      : []),
    ...(topGroup !== undefined && parentOf(topGroup) !== ""
      ? ["Roles granted further up are missing because your role doesn't let you see them."]
      : []),
  ];
}
