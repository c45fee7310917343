import { ancestorsOf, isBelow, isWithin, rootOf } from "platform-contract/aip";

import { Parameters, withinAny, type Bind } from "../sql";
import type { Table } from "../table";
import type { ListedQuery } from "./page-tokens";

/** The rows that a caller can see. */
export interface Visibility {
  /** Topmost groups: their contents and, in the list of groups, the groups themselves. */
  readonly groups: readonly string[];
  /** Condition on `t` for rows at root level, outside of any group; undefined if none of them are visible. */
  readonly rootLevel?: ((bind: Bind) => string) | undefined;
}

/**
 * A range of uids: a group and everything below it, or only what is below it. Uids sort by bytes, and "0" follows "/".
 */
export interface Range {
  readonly uid: string;
  readonly itself: boolean;
}
export const low = ({ uid, itself }: Range): string => (itself ? uid : `${uid}/`);
/** The first uid after the range. */
export const high = ({ uid }: Range): string => `${uid}0`;

/** The rows of a list: those in ranges, and those at root level. */
export interface Selection {
  /** Ordered by uid, disjoint. */
  readonly ranges: readonly Range[];
  /** The parent of all rows, if the list shows the children of one. */
  readonly parent: string | undefined;
  /** Conditions on `t` beyond ranges and parent; several combine with AND. */
  readonly filters: (bind: Bind) => string[];
  /** True if the request itself has such conditions, beyond those of every list. */
  readonly filtered: boolean;
  /** SQL: the sum over a row of `table.counts` that makes up the total; undefined if the request has filters. */
  readonly kept: string | undefined;
  /** Conditions on `t` that partition the rows: each part is counted separately. */
  readonly countedApart: readonly string[] | undefined;
  readonly rootLevel: Visibility["rootLevel"];
  /** For a table with `rootOrders`, unless the list shows one parent's children: the index ranges to walk. */
  readonly walks: Walks | undefined;
}

/** Organizations, and values of the column that splits their indexes. */
export interface Walks {
  readonly fields: readonly string[];
  readonly roots: readonly string[];
  readonly split: string;
  readonly values: readonly string[];
}

const SCOPES = ["uidp.descendants_of", "uidp.children_of", "uidp.ancestors_of"] as const;

/** The visible ranges, narrowed by the uidp filters. */
function narrow(groups: readonly string[], query: ListedQuery, { keyedByParent = false }: Table): Range[] {
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

/** The conditions of the request, apart from its scope. */
function asked(table: Table, query: ListedQuery, bind: Bind): string[] {
  const { "uidp.ancestors_of": below, "uidp.ids": ids } = query;
  const found: (string | undefined)[] = [];
  if (ids !== undefined) found.push(`t.uid = any(${bind(ids)}::text[])`);
  if (query["uidp.in_root"] === true) found.push("t.parent is null");
  // Ancestors of a uid: the groups above it, or the records held by these or by the uid itself.
  if (below !== undefined && table.isGroups) found.push(`t.uid = any(${bind(ancestorsOf(below))}::text[])`);
  if (below !== undefined && !table.isGroups)
    found.push(`t.parent = any(${bind([...ancestorsOf(below), below])}::text[])`);
  for (const [name, condition] of Object.entries(table.filters)) {
    const value = query[name];
    if (typeof value === "string" && value !== "") found.push(condition(value, bind));
  }
  for (const [name, condition] of Object.entries(table.listFilters ?? {})) {
    const values = query[name];
    if (Array.isArray(values) && values.length > 0) found.push(condition(values, bind, query));
  }
  return found.filter((condition) => condition !== undefined);
}

/** The visible rows that match a query. */
export function selectionOf(table: Table, query: ListedQuery, visibility: Visibility): Selection {
  const scoped = SCOPES.some((name) => query[name] !== undefined);
  const filters = (bind: Bind) => [...asked(table, query, bind), ...(table.always?.(query, bind) ?? [])];
  const filtered = asked(table, query, new Parameters().bind).length > 0;
  const ranges =
    query["uidp.in_root"] === true && !table.isGroups ? [] : narrow(visibility.groups, query, table);
  return {
    ranges,
    parent: query["uidp.children_of"],
    filters,
    filtered,
    kept: filtered ? undefined : table.counts?.sum(query),
    countedApart: table.countedApart?.(query),
    rootLevel: scoped ? undefined : visibility.rootLevel,
    walks: query["uidp.children_of"] === undefined ? walksOf(table, query, ranges) : undefined,
  };
}

function walksOf({ rootOrders }: Table, query: ListedQuery, ranges: readonly Range[]): Walks | undefined {
  if (!rootOrders || ranges.length === 0) return undefined;
  const { fields, split, values } = rootOrders;
  return {
    fields,
    split,
    roots: [...new Set(ranges.map(({ uid }) => rootOf(uid)))],
    values: values(query),
  };
}

/** SQL: one row of `w` and `v` for each walk. */
export const walksBy = ({ roots, values }: Walks, bind: Bind): string =>
  `unnest(${bind(roots)}::text[]) as w(root) cross join unnest(${bind(values)}::text[]) as v(value)`;

/** The conditions on `t` for the rows of the walk given by `w` and `v`. */
export function onWalk(selection: Selection, walks: Walks, bind: Bind): string {
  const { ranges, filters } = selection;
  const whole = ranges.every(({ uid }) => walks.roots.includes(uid));
  const inside = whole ? filters(bind) : [inRanges(selection, bind)];
  return [`left(t.uid, 40) = w.root and t.${walks.split} = v.value`, ...inside].join(" and ");
}

/** Number of ranges that the planner can weigh; more become a filter. */
export const FEW = 10;

/** SQL: one row of `a` for each range, with its bounds, for a lateral join. */
export const boundsOf = (ranges: readonly Range[], bind: Bind): string =>
  `unnest(${bind(ranges.map(low))}::text[], ${bind(ranges.map(high))}::text[]) as a(low, high)`;

export const within = "t.uid >= a.low and t.uid < a.high";

/** The conditions on `t` for the rows in the range `a`. */
export const inEach = ({ filters }: Selection, bind: Bind): string =>
  [within, ...filters(bind)].join(" and ");

/** The conditions on `t` for the rows in ranges. There must be at least one range. */
export function inRanges({ ranges, parent, filters, filtered, walks }: Selection, bind: Bind): string {
  // The range adds nothing: it contains all children. With both conditions, the database would expect a fraction of the
  // rows, and plan for few.
  if (ranges.some(({ uid }) => uid === parent))
    return [`t.parent = ${bind(parent)}`, ...filters(bind)].join(" and ");
  const each = (range: Range) => `t.uid >= ${bind(low(range))} and t.uid < ${bind(high(range))}`;
  const uids = ranges.map(({ uid }) => uid);
  const inside = ranges.length > FEW ? withinAny("t.uid", uids, bind) : `(${ranges.map(each).join(" or ")})`;
  const child = parent === undefined ? [] : [`t.parent = ${bind(parent)}`];
  // Lets a filter find its rows by the index of their organization.
  if (filtered && walks)
    child.push(
      `left(t.uid, 40) = any(${bind(walks.roots)}::text[])`,
      `t.${walks.split} = any(${bind(walks.values)}::text[])`,
    );
  return [inside, ...child, ...filters(bind)].join(" and ");
}

/** The conditions on `t` for the rows at root level; undefined if there are none. */
export function atRootLevel({ rootLevel, filters }: Selection, bind: Bind): string | undefined {
  return rootLevel && ["t.parent is null", `(${rootLevel(bind)})`, ...filters(bind)].join(" and ");
}
