import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { accessEnds } from "~/frame/permissions/rules";
import { endProblem, longerThanOwn, roleBindings } from "platform-contract/iam/role-bindings";
import { useNow } from "~/ui/clock";
import { capitalize } from "~/ui/display/capitalize";
import { exactTime, relativeTime } from "~/ui/display/time-text";
import { INCOMPLETE } from "~/ui/form/date-time";
import { DateTimeField } from "~/ui/form/date-time-field";

const PRESETS = [
  { label: "1 day", days: 1 },
  { label: "1 week", days: 7 },
  { label: "30 days", days: 30 },
  { label: "No end" },
];

/** When the user's own power to give a role at a group ends, in ms; undefined if it does not, or that is not known. */
export function useOwnEnd(group: string): number | undefined {
  const who = useCurrentUser();
  const { state } = who;
  if (group === "" || state !== "known") return undefined;
  return accessEnds({ ...who, state }, roleBindings.create, group);
}

/** Why a new end cannot be: the same sentences as the service's. `ownEnd`: of the user's own access. */
export function newEndProblem(end: string, ownEnd: number | undefined, now = Date.now()): string | undefined {
  if (end === INCOMPLETE) return "Enter a date and a time, or leave both empty";
  const time = end === "" ? Infinity : Date.parse(end);
  if (ownEnd !== undefined && time > ownEnd) return longerThanOwn(ownEnd);
  return time === Infinity ? undefined : endProblem(time, now);
}

interface EndFieldProps {
  readonly group: string;
  /** What ends, as the subject of a sentence. */
  readonly of?: string;
}

/** Until when a role is given; empty for no end. */
export function EndField({ group, of = "the role" }: EndFieldProps): ReactNode {
  const ownEnd = useOwnEnd(group);
  const now = useNow(30);
  const end: string = useWatch({ name: "expirationTime" });
  const time = Date.parse(end);
  const hint =
    ownEnd !== undefined
      ? `Your own access here ends ${exactTime(new Date(ownEnd))}. You can give access until then.`
      : Number.isNaN(time)
        ? `Empty: ${of} has no end.`
        : `${capitalize(of)} ends ${relativeTime(new Date(time), now)}. It is then removed.`;
  return <DateTimeField name="expirationTime" label="Until when" hint={hint} presets={PRESETS} />;
}
