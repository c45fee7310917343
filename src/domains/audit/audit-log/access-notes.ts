import { parentOf } from "platform-contract/aip";
import { exactTime, readTime } from "~/ui/display/time-text";

import type { AccessAnswer } from "./access-file";

/** What no answer can know. */
export const ALWAYS =
  "The log knows roles, not what a role allowed at that time (its own history says that), nor who signed in as a machine.";

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
  const { complete, topGroup, held = [] } = answer;
  const begin = logBegin(answer, start);
  return [
    ...(begin
      ? [
          `The audit log begins on ${exactTime(begin)}. From before, only role bindings that were there when it began are known, by the time they were created. Who else had access is unknown.`,
        ]
      : []),
    ...(held.some(({ startUnknown }) => startUnknown)
      ? ["When the removed role bindings among them were given is unknown: perhaps after that time."]
      : []),
    ...(complete === false && !begin
      ? ["The log doesn't describe every change since that time, so roles may be missing."]
      : []),
    ...(topGroup !== undefined && parentOf(topGroup) !== ""
      ? ["Roles granted further up are missing because your role doesn't let you see them."]
      : []),
  ];
}
