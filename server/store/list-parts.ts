import { ancestorsOf, isBelow, isWithin } from "~/contract/aip";
import type { ListQuery } from "~/contract/resource";

import type { Row } from "./database";
import { withinAny, type Bind } from "./sql";
import type { Table } from "./table";

/** The rows that a caller may see. */
export interface Visibility {
  /** Topmost groups: what they hold and, in the list of groups, they themselves. */
  readonly groups: readonly string[];
  /** Condition on `t` for rows at root level, which no group holds; left out when none of them may be seen. */
  readonly rootLevel?: ((bind: Bind) => string) | undefined;
}

/** A range of uids: a group with all below it, or only what is below. Uids sort by bytes, and "0" follows "/". */
interface Range {
  readonly uid: string;
  readonly itself: boolean;
}
const low = ({ uid, itself }: Range): string => (itself ? uid : `${uid}/`);
const high = ({ uid }: Range): string => `${uid}0`;

/** One part of the rows; the page is what comes first of all parts, the total their sum. */
export interface Part {
  /** On the table as `t`. */
  readonly condition: string;
  /** Set when the part is a list of ranges `a`, each to be read by itself. */
  readonly ranges?: string;
}

const SCOPES = ["uidp.descendants_of", "uidp.children_of", "uidp.ancestors_of"] as const;

/** What the uidp filters leave of the visible ranges. */
function narrow(groups: readonly string[], query: ListQuery): Range[] {
  const scopes = [query["uidp.descendants_of"], query["uidp.children_of"]].filter(
    (scope) => scope !== undefined,
  );
  let ranges: Range[] = groups.map((uid) => ({ uid, itself: true }));
  for (const scope of scopes)
    ranges = ranges.flatMap((range) => {
      if (isWithin(scope, range.uid)) return [{ uid: scope, itself: false }];
      return isBelow(range.uid, scope) ? [range] : [];
    });
  return ranges;
}

/** The conditions of the filters, beyond the ranges; several combine with AND (contract 0.4). */
function conditions(table: Table, query: ListQuery, bind: Bind): string[] {
  const { "uidp.children_of": parent, "uidp.ancestors_of": below, "uidp.ids": ids } = query;
  const found: (string | undefined)[] = [];
  if (parent !== undefined) found.push(`t.parent = ${bind(parent)}`);
  if (ids !== undefined) found.push(`t.uid = any(${bind(ids)}::text[])`);
  if (query["uidp.in_root"] === true) found.push("t.parent is null");
  // Walking up from a uid: the groups above it, or the records that such a group or the uid itself holds.
  if (below !== undefined && table.isGroups) found.push(`t.uid = any(${bind(ancestorsOf(below))}::text[])`);
  if (below !== undefined && !table.isGroups)
    found.push(`t.parent = any(${bind([...ancestorsOf(below), below])}::text[])`);
  for (const [name, condition] of Object.entries(table.filters)) {
    const value = (query as Row)[name];
    if (typeof value === "string" && value !== "") found.push(condition(value, bind));
  }
  found.push(...(table.always?.(query as Row, bind) ?? []));
  return found.filter((condition) => condition !== undefined);
}

/** So many ranges the planner can weigh; more are a filter on the walk of an index. */
const FEW = 10;

/**
 * The parts of a list: what lies in the visible groups, and what lies at root level. `byRange`: whether many ranges may
 * be read one by one, which counts them and gives them in the order of their uids.
 */
export function partsOf(
  table: Table,
  query: ListQuery,
  visibility: Visibility,
  byRange: boolean,
  bind: Bind,
): Part[] {
  const where = conditions(table, query, bind);
  const ranges = query["uidp.in_root"] === true && !table.isGroups ? [] : narrow(visibility.groups, query);
  const parts: Part[] = [];
  const and = (...more: string[]) => [...more, ...where].join(" and ");
  if (ranges.length > 1 && where.length === 0 && byRange) {
    const bounds = [ranges.map(low), ranges.map(high)].map((list) => `${bind(list)}::text[]`).join(", ");
    parts.push({
      condition: "t.uid >= a.low and t.uid < a.high",
      ranges: `unnest(${bounds}) as a(low, high)`,
    });
  } else if (ranges.length > FEW) {
    const uids = ranges.map(({ uid }) => uid);
    parts.push({ condition: and(withinAny("t.uid", uids, bind)) });
  } else if (ranges.length > 0) {
    const each = ranges.map((range) => `t.uid >= ${bind(low(range))} and t.uid < ${bind(high(range))}`);
    parts.push({ condition: and(`(${each.join(" or ")})`) });
  }
  const scoped = SCOPES.some((name) => query[name] !== undefined);
  if (visibility.rootLevel && !scoped)
    parts.push({ condition: and("t.parent is null", `(${visibility.rootLevel(bind)})`) });
  return parts;
}
