import type { Kind } from "platform-contract/kind";
import { KINDS } from "platform-contract/kinds";
import { formatCount } from "~/ui/display/numbers";

/** What can need attention, what is worth most first. */
export const LINES = [
  { name: "owners", kinds: [KINDS.roleBindings, KINDS.roles], label: "Machines with the owner role" },
  { name: "keys", kinds: [KINDS.identities], label: "Keys expired or expiring soon" },
  { name: "invites", kinds: [KINDS.groupInvites], label: "Invites expiring soon" },
  { name: "terms", kinds: [KINDS.terms], label: "Terms not accepted" },
  { name: "syncs", kinds: [KINDS.repos], label: "Syncs stopped or stopping soon" },
  { name: "advisories", kinds: [KINDS.advisories], label: "Advisories without a fix" },
  { name: "unused", kinds: [KINDS.identities], label: "Identities never used" },
  {
    name: "pulled",
    kinds: [KINDS.tags, KINDS.roleBindings],
    label: "Deprecated tags still pulled",
    needs: "registryUsage",
  },
  { name: "deprecated", kinds: [KINDS.tags], label: "Deprecated tags" },
] as const satisfies readonly {
  readonly name: string;
  /** Kinds that the user must be able to list. The check finds records of the first one. */
  readonly kinds: readonly [Kind, ...Kind[]];
  readonly label: string;
  /** An extension of the service, as `config.json` names it. */
  readonly needs?: "registryUsage";
}[];

export type Line = (typeof LINES)[number];
export type LineName = Line["name"];

/** A subset of what a line found, with the filters of the list that shows exactly these. */
export interface Part {
  readonly count: number;
  readonly search: Readonly<Record<string, string>>;
  /** Describes these records if a line has several parts. */
  readonly label?: string | undefined;
}

/** What a check has read so far. */
export interface CheckReading {
  readonly parts: readonly Part[];
  /** How many records were checked, and of how many; `total` is undefined if the service doesn't count. */
  readonly read: number;
  readonly total?: number | undefined;
  /** True if everything was read; otherwise there can be more than were found. */
  readonly complete: boolean;
}

/** What a check found, and when it ended, in ms. */
export interface CheckOutcome extends CheckReading {
  readonly at: number;
}

/** "2 of 3 read", "200 read". */
export const readText = ({ read, total }: CheckReading): string =>
  `${formatCount(read)}${total === undefined ? "" : ` of ${formatCount(total)}`} read`;

/** What a check found in a few words. Only what was read to the end is "none". */
export function resultText(reading: CheckReading): string {
  const count = countOf(reading);
  if (reading.complete) return count === 0 ? "None" : formatCount(count);
  return count === 0 ? `Not checked yet (${readText(reading)})` : `At least ${formatCount(count)}`;
}

export const countOf = ({ parts }: CheckReading): number => parts.reduce((sum, { count }) => sum + count, 0);
