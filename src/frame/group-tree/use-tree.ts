import { useQueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore, useCallback } from "react";

import { ancestorsOf, parentOf, rootOf, isBelow, PAGE_SIZE_MAX } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { thePast } from "~/api/client/moment";
import { infinite } from "~/api/queries/queries";

import { openExpansion, type Expansion } from "./expansion";
import { Levels, toNode } from "./levels";
import { pin } from "./pins";
import { useRevealed, type Revealed } from "./revealed";
import { buildRows, TOP, type AnyTreeRow, type TreeNode } from "./rows";
import { useRoots } from "./use-roots";

/**
 * Which groups certainly have no folders, from one page of everything below an organization, if one page holds it all.
 * Opening a group never asks for this: it costs one request for each organization that the tree opens by itself.
 */
function useChildless(organization: string | undefined): (uid: string) => boolean {
  const query = infinite(groups.list, {
    "uidp.descendants_of": organization ?? "",
    page_size: PAGE_SIZE_MAX,
    ...thePast()?.comparing(groups.list),
  });
  const { data, hasNextPage } = useInfiniteQuery({ ...query, enabled: organization !== undefined });
  const pages = data?.pages;
  const parents = useMemo(
    () =>
      pages && !hasNextPage
        ? new Set(pages.flatMap(({ items }) => items).map(({ uid }) => parentOf(uid)))
        : undefined,
    [pages, hasNextPage],
  );
  return useCallback(
    (uid) =>
      parents !== undefined &&
      organization !== undefined &&
      (uid === organization || isBelow(uid, organization)) &&
      !parents.has(uid),
    [parents, organization],
  );
}

/** One per owner, shared by the trees of a page. */
const expansions = new Map<string, Expansion>();

function expansionOf(owner: string): Expansion {
  const expansion = expansions.get(owner) ?? openExpansion(owner, window.sessionStorage);
  expansions.set(owner, expansion);
  return expansion;
}

function addPin(pinned: Map<string, readonly TreeNode[]>, node: TreeNode): void {
  const parent = parentOf(node.uid) || TOP;
  const others = (pinned.get(parent) ?? []).filter(({ uid }) => uid !== node.uid);
  pinned.set(parent, [...others, node]);
}

export interface Tree {
  readonly rows: readonly AnyTreeRow[];
  /** True if the path to the current group is loaded, so that its row no longer moves. */
  readonly settled: boolean;
  /** False until it is known which groups the user can see at the top, or that there are none. */
  readonly known: boolean;
  readonly change: Expansion["change"];
  /** True if there are visible folders that are not in the tree. */
  readonly more: boolean;
  /** The group that was created or renamed last. */
  readonly revealed: Revealed | undefined;
  /** Loads what a row stands for: a level or its next page. */
  readonly load: (row: AnyTreeRow) => void;
}

/** The state of the tree. `owner`: issuer and subject; `current`: the group whose ancestors are opened. */
export function useTree(owner: string, current: string | undefined): Tree {
  const client = useQueryClient();
  const [levels] = useState(() => new Levels(client));
  const snapshot = useSyncExternalStore(levels.subscribe, levels.get);
  const expansion = useMemo(() => expansionOf(owner), [owner]);
  const expanded = useSyncExternalStore(expansion.subscribe, expansion.get);
  const revealed = useRevealed();
  const above = useMemo(
    () => [current, revealed?.uid].flatMap((uid) => (uid === undefined ? [] : ancestorsOf(uid))),
    [current, revealed],
  );

  // Open the path to a group once; after that, the user can close any level.
  useLayoutEffect(() => expansion.change(above, true), [expansion, above]);

  // Open groups load when their row scrolls into view, so that a reload requests one screenful and not everything ever
  // opened; levels on the path to the current group load immediately and in parallel.
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const wanted = [TOP, ...[...expanded].filter((uid) => seen.has(uid) || above.includes(uid))];
  useEffect(() => levels.want(wanted));
  useEffect(() => () => levels.want([]), [levels]);

  const top = snapshot.get(TOP);
  const roots = useRoots(top?.state === "ready" ? { count: top.nodes.length } : undefined);

  const [first, second] = top?.nodes ?? [];
  const sole = second ? undefined : first?.uid;
  const childless = useChildless(current === undefined ? sole : rootOf(current));

  const path = usePath(current);
  const { group } = useGroup(current);

  const rows = useMemo(() => {
    const chain = path.steps.flatMap(({ uid, name }) => (name === undefined ? [] : [{ uid, name }]));
    if (group && path.state !== "loading") chain.push(toNode(group));
    const organizations = snapshot.get(TOP)?.nodes.map(({ uid }) => uid) ?? [];
    const { pinned, distant } = pin(chain, roots.found, organizations);
    // Its page of siblings may not be loaded.
    if (
      revealed &&
      snapshot.get(parentOf(revealed.uid) || TOP)?.more &&
      client.getQueryData([groups.collection, "get", revealed.uid])
    )
      addPin(pinned, revealed);
    return buildRows({ levels: snapshot, expanded, pinned, distant, childless });
  }, [snapshot, expanded, path, group, roots.found, childless, revealed, client]);

  // Open a single top-level group the first time: one closed row would say nothing.
  const [row, other] = rows.filter(({ depth }) => depth === 1);
  const alone = row?.kind === "node" && !other && roots.settled ? row.key : undefined;
  useEffect(() => {
    if (alone !== undefined && expansion.untouched()) expansion.change([alone], true);
  }, [alone, expansion]);

  const arrived = (uid: string) => snapshot.has(uid) && snapshot.get(uid)?.state !== "loading";
  return {
    rows,
    settled:
      path.state !== "loading" &&
      [TOP, ...above].every((uid) => arrived(uid) || (uid !== TOP && !expanded.has(uid))),
    known: roots.settled && arrived(TOP),
    more: roots.more,
    revealed,
    change: expansion.change,
    load(row) {
      if (row.kind === "node") return;
      if (row.kind === "loading")
        setSeen((before) => (before.has(row.parent) ? before : new Set(before).add(row.parent)));
      else if (row.kind === "failed") levels.retry(row.parent);
      else levels.loadMore(row.parent);
    },
  };
}
