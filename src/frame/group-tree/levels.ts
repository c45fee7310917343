import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
  type QueryClient,
} from "@tanstack/react-query";

import { thePast } from "~/api/client/moment";
import { infinite } from "~/api/queries/queries";
import { totalOf } from "platform-client/wire";
import { groups, type Group } from "platform-contract/iam/groups";
import type { ListAnswer } from "platform-contract/resource";
import { errorFacts } from "~/ui/feedback/error-facts";
import { shorten } from "~/ui/display/shorten";

import { TOP, type Level, type TreeNode } from "./rows";

const PAGE_SIZE = 100;

/** The children of one group, by name, or the organizations. */
export const levelQuery = (parent: string) =>
  infinite(
    groups.list,
    {
      ...(parent === TOP ? { "uidp.in_root": true } : { "uidp.children_of": parent }),
      order_by: "name",
      page_size: PAGE_SIZE,
      ...thePast()?.comparing(groups.list),
    },
    // The tree has a row for every loaded sibling.
    { maxPages: Infinity },
  );

type Result = InfiniteQueryObserverResult<{ pages: ListAnswer<Group>[] }, unknown>;

/** Falls back to the uid: a server can omit the name. */
export const toNode = ({ uid, name }: Pick<Group, "uid" | "name">): TreeNode => ({
  uid,
  name: name || shorten(uid),
});

/** Nodes of a level by its pages, cached so that they keep their identity until a page changes. */
const nodesOf = new WeakMap<readonly ListAnswer<Group>[], readonly TreeNode[]>();

function readNodes(pages: readonly ListAnswer<Group>[]): readonly TreeNode[] {
  // A row that moves to a later page between two requests is returned twice.
  const nodes = new Map<string, TreeNode>();
  for (const group of pages.flatMap(({ items }) => items)) nodes.set(group.uid, toNode(group));
  return [...nodes.values()];
}

function toLevel(result: Result): Level {
  const pages = result.data?.pages;
  const { retryAt } = result.isError ? errorFacts(result.error) : {};
  if (!pages)
    return {
      nodes: [],
      total: undefined,
      more: false,
      state: result.isError ? "failed" : "loading",
      retryAt,
    };
  const nodes = nodesOf.get(pages) ?? readNodes(pages);
  nodesOf.set(pages, nodes);
  const count = pages[0] && totalOf(pages[0]);
  return {
    nodes,
    total: count === undefined ? undefined : Number(count),
    more: result.hasNextPage,
    state: result.isFetchingNextPage ? "loading more" : result.isFetchNextPageError ? "failed more" : "ready",
    retryAt,
  };
}

const observe = (client: QueryClient, parent: string) =>
  new InfiniteQueryObserver(client, levelQuery(parent));

interface Open {
  readonly observer: ReturnType<typeof observe>;
  readonly stop: () => void;
}

/** Holds one infinite query per open level: opening a group is one request, however large the group is; hooks only support a fixed number of queries. */
export class Levels {
  readonly #client: QueryClient;
  readonly #open = new Map<string, Open>();
  readonly #listeners = new Set<() => void>();
  #snapshot: ReadonlyMap<string, Level> = new Map();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  readonly get = (): ReadonlyMap<string, Level> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the levels below these groups and stops observing the others, which stay in the query cache. */
  want(parents: readonly string[]): void {
    const wanted = new Set(parents);
    const known = this.#open.size;
    for (const [parent, { stop }] of this.#open)
      if (!wanted.has(parent)) {
        stop();
        this.#open.delete(parent);
      }
    let changed = this.#open.size !== known;
    for (const parent of wanted) {
      if (this.#open.has(parent)) continue;
      const observer = observe(this.#client, parent);
      this.#open.set(parent, { observer, stop: observer.subscribe(() => this.#publish()) });
      changed = true;
    }
    if (changed) this.#publish();
  }

  /** Loads the next page of a level, unless a request is in flight. */
  loadMore(parent: string): void {
    const observer = this.#open.get(parent)?.observer;
    if (observer && !observer.getCurrentResult().isFetching) void observer.fetchNextPage();
  }

  retry(parent: string): void {
    void this.#open.get(parent)?.observer.refetch();
  }

  #publish(): void {
    this.#snapshot = new Map(
      [...this.#open].map(([parent, { observer }]) => [parent, toLevel(observer.getCurrentResult())]),
    );
    for (const listener of this.#listeners) listener();
  }
}
