import { isWithin } from "platform-contract/aip";
import { USE_PLACES_MOST, type CapabilityUse } from "platform-contract/iam/capability-use";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

/** What the service has counted of the use of capabilities. */
export interface UseFacts {
  readonly rows: readonly CapabilityUse[];
  /** Since when it is recorded; undefined if it never was. */
  readonly since: string | undefined;
  /** False if there is more than was read. */
  readonly complete: boolean;
}

export interface Uses {
  readonly count: number;
  /** When the last of them was; undefined without any. */
  readonly last: string | undefined;
}

export const totalOf = (rows: readonly CapabilityUse[]): Uses => ({
  count: rows.reduce((sum, { callCount = "0" }) => sum + Number(callCount), 0),
  last: rows
    .flatMap(({ lastTime }) => lastTime ?? [])
    .reduce<string | undefined>((last, time) => (last === undefined || time > last ? time : last), undefined),
});

/** What an identity has used of a role that it holds in a group: there and below. */
export const usesOf = (
  { rows }: Pick<UseFacts, "rows">,
  { identity, group, capabilities }: { identity: string; group: string; capabilities: ReadonlySet<string> },
): readonly CapabilityUse[] =>
  rows.filter(
    (row) => row.identity === identity && capabilities.has(row.capability) && isWithin(row.group, group),
  );

/**
 * In how many groups an identity has roles, those below another not counted: a list that names none is counted in
 * `USE_PLACES_MOST` of them. Undefined if that is all.
 * @param groups of its role bindings
 */
export function uncountedOf(groups: Iterable<string>): number | undefined {
  const all = [...new Set(groups)];
  const tops = all.filter((group) => !all.some((above) => above !== group && isWithin(group, above)));
  return tops.length > USE_PLACES_MOST ? tops.length : undefined;
}

/** "counted in 50 of 83 groups" */
export const countedWords = (groups: number): string =>
  `counted in ${USE_PLACES_MOST} of ${formatQuantity(groups, "group", "groups")}`;

/** Of these uses, those that a role without their capabilities would have refused. */
export const refusedBy = (
  used: readonly CapabilityUse[],
  capabilities: readonly string[] = [],
): { readonly refused: Uses; readonly of: number } => ({
  refused: totalOf(used.filter(({ capability }) => !capabilities.includes(capability))),
  of: totalOf(used).count,
});

const DAY = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** "Would have refused 3 of 1,214 uses, last on May 3, 2026" */
export function refusedWords({ refused, of }: ReturnType<typeof refusedBy>): string {
  if (of === 0) return "Nothing was used";
  if (refused.count === 0) return `Would have refused none of ${formatCount(of)} uses`;
  const last = refused.last === undefined ? "" : `, last on ${DAY.format(Date.parse(refused.last))}`;
  return `Would have refused ${formatCount(refused.count)} of ${formatCount(of)} uses${last}`;
}
