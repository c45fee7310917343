import type { QueryClient } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import { infinite, type ListKey } from "~/api/queries/queries";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { ALL_KINDS, tags, type Tag } from "platform-contract/registry/tags";
import { USAGE_DAYS } from "platform-contract/registry/usage";
import type { Scope } from "~/frame/scope/scope";
import { readStillPulled } from "~/domains/registry/usage/queries";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { defineScreens, type ListView } from "~/frame/define";
import { choice, contains, date, exact, option, pinned, searched, type SearchOf } from "~/frame/list/filters";
import { isUidParam, type Address } from "~/frame/scope/address";

import { repoName, repoQuery } from "~/domains/registry/references/repo-query";
import { isInProduction, kindOf, KINDS } from "platform-contract/registry/tag-names";

/** True if the view searches names of all kinds, whether shown or not. */
export const isExact = ({ name, digest }: ListView): boolean => name !== undefined || digest !== undefined;

/**
 * True if a view shows a kind of names. Every count of tags follows it: a list, its filters, the home page and a repo's
 * row all leave out what a list leaves out by default.
 */
export const shows = (view: ListView, kind: string): boolean =>
  view[kind] === "yes" || view["pulled"] === "yes" || isExact(view);

const everyRow = () => true;
const isDigest = (text: string) => text.startsWith("sha256:");
const isName = (text: string) => !isDigest(text);

export const tagFilters = {
  digest: searched(exact("digest", "Digest"), isDigest),
  name: searched(exact("name", "Name"), isName),
  contains: searched(
    contains<Tag>("Name", ({ name }) => [name]),
    isName,
  ),
  deprecated: pinned(
    choice<Tag>(
      "State",
      [
        { value: "yes", label: "deprecated" },
        { value: "no", label: "active" },
      ],
      { matches: (value) => (tag) => (tag.deprecated ?? false) === (value === "yes") },
    ),
  ),
  since: date<Tag>("Updated since", { query: (day) => ({ updatedSince: `${day}T00:00:00Z` }) }),
  by: option<Tag>("Grouped by digest", "digest", { matches: () => everyRow }),
  pulled: option<Tag>("Deprecated and still pulled", "yes", {
    describe: () => `deprecated and pulled in the last ${USAGE_DAYS} days`,
  }),
  dates: option("Dated tags", "yes"),
  epochs: option("Build tags", "yes"),
  referrers: option("Signatures", "yes"),
};
export type TagSearch = SearchOf<typeof tagFilters> & { readonly repo?: string | undefined };

const screens = defineScreens(tags, {
  drawers: {
    load: async () => (await import("./drawers")).TagDrawers,
    // A repo's tag list also opens the repo's drawers.
    list: ["pull", "edit"],
    page: ["create", "pull"],
  },
  filters: tagFilters,
  within: "repo",
  query: (view) =>
    Object.fromEntries(KINDS.flatMap(({ kind, include }) => (shows(view, kind) ? [[include, true]] : []))),
  scan: {
    orders: ["version"],
    // Sorting by update time would miss tags that move during the scan.
    by: "name",
    belongs:
      (view) =>
      ({ name }) => {
        const kind = kindOf(name);
        return kind === undefined || shows(view, kind);
      },
  },
  deletion: {
    dependents: () => [],
    async before(tag, client) {
      const repo = await client.fetchQuery({ ...repoQuery(parentOf(tag.uid)), retry: false });
      return { asks: isInProduction(tag, repo), called: `${tag.name} of ${repoName(repo)}` };
    },
  },
});
type TagList = ReturnType<typeof screens.resolve>["list"];

/** The same list with only the tags that are deprecated and still pulled: the most pulled ones, in one page. */
function onlyPulled(list: TagList, within: string | undefined): TagList {
  const [collection, verb, query] = list.queryKey;
  return {
    ...list,
    queryKey: [collection, verb, { ...query, pulled: true }] as ListKey as TagList["queryKey"],
    initialPageParam: {},
    queryFn: async ({ signal }) => {
      const uids = await readStillPulled(within, signal);
      if (uids.length === 0) return { items: [], totalCount: "0" };
      const ids = { "uidp.ids": uids.slice(0, PAGE_SIZE_MAX), page_size: PAGE_SIZE_MAX };
      return call(tags.list, { query: { ...query, ...ids }, signal });
    },
  };
}

export const tagScreens = {
  ...screens,
  resolve(addressed: Scope, view: ListView, compares = false) {
    const resolved = screens.resolve(addressed, view, compares);
    if (view["pulled"] !== "yes") return resolved;
    const { list, whole, holder, scope } = resolved;
    const within = holder ?? scope.group;
    return { ...resolved, list: onlyPulled(list, within), whole: onlyPulled(whole, within) };
  },
  readList(address: Address): ListView {
    const { drawer, item, ...view } = screens.readList(address);
    // A repo can be edited, a tag cannot.
    const opened = drawer !== "edit" || (view["repo"] !== undefined && item === undefined);
    return opened ? { ...view, drawer, item } : view;
  },
  startList(client: QueryClient, address: Address): void {
    const view = screens.readList(address);
    const { repo: param } = view;
    const repo = param === undefined ? undefined : paramToUid(param);
    if (repo !== undefined) void client.prefetchQuery(repoQuery(repo));
    if (view["pulled"] === undefined) screens.startList(client, address);
  },
};

/** Requests the tag with a name in a repo: a list of at most one row. */
export const namedQuery = (repo: string, name: string) =>
  infinite(tags.list, { "uidp.children_of": repo, name, ...ALL_KINDS, page_size: 1, order_by: "uid" });

/** Requests the tags of one image in a repo, up to one page. */
export const sameImageQuery = (repo: string, digest: string) =>
  infinite(tags.list, {
    "uidp.children_of": repo,
    digest,
    ...ALL_KINDS,
    page_size: PAGE_SIZE_MAX,
    order_by: "name",
  });

/** uids of the two tags to compare, with `_` for `/`. */
export interface CompareSearch {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}
export const readCompare = ({ a, b }: Address): CompareSearch => ({
  ...(isUidParam(a) && { a }),
  ...(isUidParam(b) && { b }),
});

/** Links to the comparison of two tags, or of one tag with another one still to be chosen. */
export const compareOf = (a: string, b?: string) =>
  linkOptions({
    to: "/tags/compare",
    search: { a: uidToParam(a), b: b === undefined ? undefined : uidToParam(b) },
  });

/** The scan status line's word for the rows it keeps; "" if it keeps every row. */
export function calledOf({ contains, deprecated }: ListView): string {
  if (contains !== undefined) return "found";
  return deprecated === undefined ? "" : deprecated === "yes" ? "deprecated" : "active";
}

/** Describes how the rows of a scan are arranged, if not in the service's order. */
export function arrangedOf({ by, order = "" }: ListView): string | undefined {
  const how = [by && "grouped by digest", order.startsWith("version") && "ordered by version"].filter(
    Boolean,
  );
  return how.join(", ") || undefined;
}
