import { parentOf } from "~/contract/aip";
import { exactTime, readTime } from "~/ui/display/time-text";

import type { Answer } from "./access-file";

/** What no answer can know. */
export const ALWAYS =
  "The log knows roles, not what a role allowed at that time (its own history says that), nor who signed in as a machine.";

/**
 * Why an answer may lack something, a sentence each.
 * @param start the time that was asked about
 */
export function gapsOf({ complete, knownSince, time, until, topGroup }: Answer, start: string): string[] {
  const since = readTime(knownSince);
  const early = complete === false && since !== undefined && since > new Date(start);
  return [
    ...(early
      ? [
          `The audit log begins on ${exactTime(since)}. Who had access before is unknown: this is who had access ${until === undefined || until === time ? "then" : "since then"}.`,
        ]
      : []),
    ...(complete === false && !early
      ? ["The log doesn't describe every change since that time, so roles may be missing."]
      : []),
    ...(topGroup !== undefined && parentOf(topGroup) !== ""
      ? ["Roles granted further up are missing because your role doesn't let you see them."]
      : []),
  ];
}
