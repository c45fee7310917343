import { ancestorsOf, isBelow, isWithin, rootOf } from "~/contract/aip";
import type { ListQuery } from "~/contract/resource";

import type { Row } from "./database";
import { Parameters, withinAny, type Bind } from "./sql";
import type { Table } from "./table";

/** The rows that a caller may see. */
export interface Visibility {
  /** Topmost groups: what they hold and, in the list of groups, they themselves. */
  readonly groups: readonly string[];
  /** Condition on `t` for rows at root level, which no group holds; left out when none of them may be seen. */
  readonly rootLevel?: ((bind: Bind) => string) | undefined;
}

/** A range of uids: a group with all below it, or only what is below. Uids sort by bytes, and "0" follows "/". */
export interface Range {
  readonly uid: string;
  readonly itself: boolean;
}
export const low = ({ uid, itself }: Range): string => (itself ? uid : `${uid}/`);
/** The first uid behind. */
export const high = ({ uid }: Range): string => `${uid}0`;

/** What a list holds: rows in ranges, and rows at root level. */
export interface Selection {
  /** In the order of their uids, none within another. */
  readonly ranges: readonly Range[];
  /** The parent that all rows have, when the list is that of its children. */
  readonly parent: string | undefined;
  /** Conditions on `t` beyond ranges and parent; several combine with AND (contract 0.4). */
  readonly filters: (bind: Bind) => string[];
  /** Whether the caller has asked for such conditions; those that every list has do not count. */
  readonly filtered: boolean;
  /** SQL: the sum of a row of `table.counts` that makes up the total, where nothing but what every list has is filtered. */
  readonly kept: string | undefined;
  /** Conditions on `t`: the rows that meet one are counted apart from the others. */
  readonly countedApart: readonly string[] | undefined;
  readonly rootLevel: Visibility["rootLevel"];
  /** Of a table with `rootOrders`, unless the list is that of one parent's children: what its indexes are walked by. */
  readonly walks: Walks | undefined;
}

/** Organizations, and values of the column that their indexes are split by. */
export interface Walks {
  readonly fields: readonly string[];
  readonly roots: readonly string[];
  readonly split: string;
  readonly values: readonly string[];
}

const SCOPES = ["uidp.descendants_of", "uidp.children_of", "uidp.ancestors_of"] as const;

/** What the uidp filters leave of the visible ranges. */
function narrow(groups: readonly string[], query: ListQuery, { keyedByParent = false }: Table): Range[] {
  const scopes = [query["uidp.descendants_of"], query["uidp.children_of"]].filter(
    (scope) => scope !== undefined,
  );
  let ranges: Range[] = groups.map((uid) => ({ uid, itself: true }));
  for (const scope of scopes)
    ranges = ranges.flatMap((range) => {
      if (isWithin(scope, range.uid)) return [{ uid: scope, itself: keyedByParent }];
      return isBelow(range.uid, scope) ? [range] : [];
    });
  return ranges;
}

/** What the caller has asked for beyond a scope. */
function asked(table: Table, query: ListQuery, bind: Bind): string[] {
  const { "uidp.ancestors_of": below, "uidp.ids": ids } = query;
  const found: (string | undefined)[] = [];
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
  for (const [name, condition] of Object.entries(table.listFilters ?? {})) {
    const values = (query as Row)[name];
    if (Array.isArray(values) && values.length > 0)
      found.push(condition(values as string[], bind, query as Row));
  }
  return found.filter((condition) => condition !== undefined);
}

/** What a query leaves of what may be seen. */
export function selectionOf(table: Table, query: ListQuery, visibility: Visibility): Selection {
  const scoped = SCOPES.some((name) => query[name] !== undefined);
  const filters = (bind: Bind) => [
    ...asked(table, query, bind),
    ...(table.always?.(query as Row, bind) ?? []),
  ];
  const filtered = asked(table, query, new Parameters().bind).length > 0;
  const ranges =
    query["uidp.in_root"] === true && !table.isGroups ? [] : narrow(visibility.groups, query, table);
  return {
    ranges,
    parent: query["uidp.children_of"],
    filters,
    filtered,
    kept: filtered ? undefined : table.counts?.sum(query as Row),
    countedApart: table.countedApart?.(query as Row),
    rootLevel: scoped ? undefined : visibility.rootLevel,
    walks: query["uidp.children_of"] === undefined ? walksOf(table, query, ranges) : undefined,
  };
}

function walksOf({ rootOrders }: Table, query: ListQuery, ranges: readonly Range[]): Walks | undefined {
  if (!rootOrders || ranges.length === 0) return undefined;
  const { fields, split, values } = rootOrders;
  return {
    fields,
    split,
    roots: [...new Set(ranges.map(({ uid }) => rootOf(uid)))],
    values: values(query as Row),
  };
}

/** SQL: a row of `w` and `v` for each walk. */
export const walksBy = ({ roots, values }: Walks, bind: Bind): string =>
  `unnest(${bind(roots)}::text[]) as w(root) cross join unnest(${bind(values)}::text[]) as v(value)`;

/** The conditions on `t` of the rows on the walk that `w` and `v` are. */
export function onWalk(selection: Selection, walks: Walks, bind: Bind): string {
  const { ranges, filters } = selection;
  const whole = ranges.every(({ uid }) => walks.roots.includes(uid));
  const inside = whole ? filters(bind) : [inRanges(selection, bind)];
  return [`left(t.uid, 40) = w.root and t.${walks.split} = v.value`, ...inside].join(" and ");
}

/** So many ranges the planner can weigh; more are a filter. */
export const FEW = 10;

/** SQL: a row of `a` for each range, with its bounds, to be joined laterally. */
export const boundsOf = (ranges: readonly Range[], bind: Bind): string =>
  `unnest(${bind(ranges.map(low))}::text[], ${bind(ranges.map(high))}::text[]) as a(low, high)`;

export const within = "t.uid >= a.low and t.uid < a.high";

/** The conditions on `t` of the rows in the range that `a` is. */
export const inEach = ({ filters }: Selection, bind: Bind): string =>
  [within, ...filters(bind)].join(" and ");

/** The conditions on `t` of the rows in ranges. Without ranges there are no such rows. */
export function inRanges({ ranges, parent, filters, filtered, walks }: Selection, bind: Bind): string {
  // Its children are all in that range. Said twice, the database would expect a fraction of them, and plan for few.
  if (ranges.some(({ uid }) => uid === parent))
    return [`t.parent = ${bind(parent)}`, ...filters(bind)].join(" and ");
  const each = (range: Range) => `t.uid >= ${bind(low(range))} and t.uid < ${bind(high(range))}`;
  const uids = ranges.map(({ uid }) => uid);
  const inside = ranges.length > FEW ? withinAny("t.uid", uids, bind) : `(${ranges.map(each).join(" or ")})`;
  const child = parent === undefined ? [] : [`t.parent = ${bind(parent)}`];
  // So that a filter finds its rows by the index of their organization.
  if (filtered && walks)
    child.push(
      `left(t.uid, 40) = any(${bind(walks.roots)}::text[])`,
      `t.${walks.split} = any(${bind(walks.values)}::text[])`,
    );
  return [inside, ...child, ...filters(bind)].join(" and ");
}

/** The conditions on `t` of the rows at root level; undefined when there are none. */
export function atRootLevel({ rootLevel, filters }: Selection, bind: Bind): string | undefined {
  return rootLevel && ["t.parent is null", `(${rootLevel(bind)})`, ...filters(bind)].join(" and ");
}
