import { useInfiniteQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { levelQuery } from "~/frame/group-tree/levels";
import { TOP } from "~/frame/group-tree/rows";

import { useAncestorNames as useNamesAbove } from "~/frame/scope/use-ancestor-names";

interface Above {
  /** Names of the rows' ancestor groups by uid, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
  /** uid of the group that every row's path omits: the scope, or the only organization. */
  readonly below: string | undefined;
}

const Names = createContext<Above>({ names: new Map(), below: undefined });

export const useAbove = (): Above => useContext(Names);

/** Returns a uid inside the group, for a record that shares its group's uid. */
export const within = ({ uid }: { readonly uid: string }): { readonly uid: string } => ({ uid: `${uid}/` });

interface AncestorNamesProps {
  readonly rows: readonly { readonly uid: string; readonly name?: string | undefined }[];
  /** uid of the group that the list is limited to. */
  readonly scope: string | undefined;
  /** Index of the first row in view. */
  readonly at: number | undefined;
  /** Each row has the uid of the group that it is in. */
  readonly keyed?: boolean | undefined;
  /** Loads names only for rows near `at`: the rows of a scan can be in thousands of groups. */
  readonly onlyNear: boolean;
  readonly children: ReactNode;
}

/** Loads the names of these rows' ancestor groups, and provides them to the cells. */
export function AncestorNames(props: AncestorNamesProps): ReactNode {
  const { rows, scope, at = 0, keyed, onlyNear, children } = props;
  const near = useMemo(() => {
    const some = onlyNear ? rows.slice(Math.max(0, at - 5), at + 45) : rows;
    return keyed ? some.map(within) : some;
  }, [onlyNear, keyed, rows, at]);
  const names = useNamesAbove(near);
  // The group tree has already requested these.
  const { rows: organizations } = rowsOf(useInfiniteQuery(levelQuery(TOP)).data);
  const below = scope ?? (organizations.length === 1 ? organizations[0]?.uid : undefined);
  return <Names value={useMemo(() => ({ names, below }), [names, below])}>{children}</Names>;
}
