import { type Bind } from "../sql";
import type { Table } from "../table";
import { atRootLevel, boundsOf, inEach, inRanges, within, type Selection } from "./list-parts";

/** SQL: the total, one bigint. Counts the ranges one by one: a count over a join with a thousand of them takes seconds. */
export function totalOf(table: Table, selection: Selection, bind: Bind): string {
  if (selection.kept !== undefined) return keptTotal(table, selection, bind);
  const { ranges, parent, filtered, countedApart } = selection;
  const own = (condition: string) => `(select count(*) as n from ${table.name} t where ${condition})`;
  const sums: string[] = [];
  if (ranges.length > 1 && !filtered && parent === undefined)
    sums.push(
      `(select coalesce(sum(k.n), 0) from ${boundsOf(ranges, bind)} cross join lateral ${own(inEach(selection, bind))} k)`,
    );
  else if (ranges.length > 0 && countedApart)
    sums.push(...countedApart.map((rows) => own(`${inRanges(selection, bind)} and ${rows}`)));
  else if (ranges.length > 0) sums.push(own(inRanges(selection, bind)));
  const rooted = atRootLevel(selection, bind);
  if (rooted !== undefined) sums.push(own(rooted));
  return `(${sums.join(" + ") || "0"})::bigint`;
}

/** The sum of the counts kept by parent. A record is in a range if its parent is, or if the parent starts the range. */
function keptTotal({ counts }: Table, { ranges, parent, kept }: Selection, bind: Bind): string {
  if (ranges.length === 0) return "0::bigint";
  const whole = boundsOf(
    ranges.map(({ uid }) => ({ uid, itself: true })),
    bind,
  );
  const only = parent === undefined ? "" : `and t.uid = ${bind(parent)}`;
  return `(select coalesce(sum(k.n), 0)::bigint from ${whole} cross join lateral
    (select sum(${kept}) as n from ${counts?.table} t where ${within} ${only}) k)`;
}
