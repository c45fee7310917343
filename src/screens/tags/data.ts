import type { QueryClient } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";

import { infinite } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { ALL_KINDS, tags, type Tag } from "~/contract/registry/tags";
import { uidToParam } from "~/features/scope/uid-param";
import { defineScreens, type ListView } from "~/resource/define";
import { choice, contains, date, exact, option, pinned, searched, type SearchOf } from "~/resource/filters";
import { isUidParam, type Address } from "~/resource/list-search";

import { repoScreens } from "../repos/data";

/** Kinds of names that the service leaves out unless it is asked for them (contract 1.11). */
export const KINDS = [
  { kind: "dates", include: "includeDates", names: /-20\d{6}$/ },
  { kind: "epochs", include: "includeEpochs", names: /-r\d+$/ },
  { kind: "referrers", include: "includeReferrers", names: /^sha256-/ },
] as const;

/** The kind of a name; one that looks like two is of the last. */
const kindOf = (name: string) => KINDS.findLast(({ names }) => names.test(name))?.kind;

/** Whether the view looks at names of every kind, shown or not. */
export const isExact = ({ name, digest }: ListView): boolean => name !== undefined || digest !== undefined;

/** Whether a view shows a kind of names. Deprecated ones are counted over the whole repo, builds and dates included. */
export const shows = (view: ListView, kind: string): boolean =>
  view[kind] === "yes" || isExact(view) || (view["deprecated"] !== undefined && kind !== "referrers");

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
  dates: option("Dated tags", "yes"),
  epochs: option("Build tags", "yes"),
  referrers: option("Signatures", "yes"),
};
export type TagSearch = SearchOf<typeof tagFilters> & { readonly repo?: string | undefined };

const screens = defineScreens(tags, {
  filters: tagFilters,
  order: "updated_at desc",
  within: "repo",
  clientOrders: ["version"],
  // In the order of their updates, tags that move during the read would be missed.
  scanOrder: "name",
  query: (view) =>
    Object.fromEntries(KINDS.flatMap(({ kind, include }) => (shows(view, kind) ? [[include, true]] : []))),
  belongs:
    (view) =>
    ({ name }) => {
      const kind = kindOf(name);
      return kind === undefined || shows(view, kind);
    },
  // The list of a repo opens the drawers of the repo as well.
  listDrawers: ["pull", "edit"],
  pageDrawers: ["create", "pull"],
  dependents: () => [],
});
export const tagScreens = {
  ...screens,
  readList(address: Address): ListView {
    const { drawer, item, ...view } = screens.readList(address);
    // A repo can be edited, a tag cannot.
    const opened = drawer !== "edit" || (view["repo"] !== undefined && item === undefined);
    return opened ? { ...view, drawer, item } : view;
  },
  startList(client: QueryClient, address: Address): void {
    const repo = screens.holderOf(screens.readList(address));
    if (repo !== undefined) void client.prefetchQuery(repoScreens.record(repo));
    screens.startList(client, address);
  },
};

/** The tag of one name in a repo, in a list of at most one row. */
export const namedQuery = (repo: string, name: string) =>
  infinite(tags.list, { "uidp.children_of": repo, name, ...ALL_KINDS, page_size: 1, order_by: "uid" });

/** Every tag of one image in a repo; as many as one page holds. */
export const sameImageQuery = (repo: string, digest: string) =>
  infinite(tags.list, {
    "uidp.children_of": repo,
    digest,
    ...ALL_KINDS,
    page_size: PAGE_SIZE_MAX,
    order_by: "name",
  });

/** Two tags side by side, `_` for `/`. */
export interface CompareSearch {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}
export const readCompare = ({ a, b }: Address): CompareSearch => ({
  ...(isUidParam(a) && { a }),
  ...(isUidParam(b) && { b }),
});

/** A comparison of two tags, or of one tag with one that is still to be named. */
export const compareOf = (a: string, b?: string) =>
  linkOptions({
    to: "/tags/compare",
    search: { a: uidToParam(a), b: b === undefined ? undefined : uidToParam(b) },
  });

/** What the line of a scan calls the rows that it keeps; "" where it keeps every row. */
export function calledOf({ contains, deprecated }: ListView): string {
  if (contains !== undefined) return "found";
  return deprecated === undefined ? "" : deprecated === "yes" ? "deprecated" : "active";
}

/** How the rows of a scan stand, where that is not as the service lists them. */
export function arrangedOf({ by, order = "" }: ListView): string | undefined {
  const how = [by && "grouped by digest", order.startsWith("version") && "ordered by version"].filter(
    Boolean,
  );
  return how.join(", ") || undefined;
}
