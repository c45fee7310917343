import { useInfiniteQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo, type ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { levelQuery } from "~/features/group-tree/levels";
import { TOP } from "~/features/group-tree/rows";

import { useAncestorNames as useNamesAbove } from "~/features/scope/use-ancestor-names";

interface Above {
  /** The names of the groups above the rows of a list, by uid, as far as they are known. */
  readonly names: ReadonlyMap<string, string>;
  /** uid of the group that goes without saying in each row: the scope, or the only organization there is. */
  readonly below: string | undefined;
}

const Names = createContext<Above>({ names: new Map(), below: undefined });

export const useAbove = (): Above => useContext(Names);

/** The place of a record that has the uid of its group: in that group. */
export const within = ({ uid }: { readonly uid: string }): { readonly uid: string } => ({ uid: `${uid}/` });

interface AncestorNamesProps {
  readonly rows: readonly { readonly uid: string; readonly name?: string | undefined }[];
  /** uid of the group that the list is limited to. */
  readonly scope: string | undefined;
  /** Number of the first row in view. */
  readonly at: number | undefined;
  /** The rows have the uids of the groups that they lie in. */
  readonly keyed?: boolean | undefined;
  /** Only the rows near `at` are asked about: those of a scan may lie under thousands of groups. */
  readonly onlyNear: boolean;
  readonly children: ReactNode;
}

/** Asks for the names of the groups above these rows, for the cells within. */
export function AncestorNames(props: AncestorNamesProps): ReactNode {
  const { rows, scope, at = 0, keyed, onlyNear, children } = props;
  const near = useMemo(() => {
    const some = onlyNear ? rows.slice(Math.max(0, at - 5), at + 45) : rows;
    return keyed ? some.map(within) : some;
  }, [onlyNear, keyed, rows, at]);
  const names = useNamesAbove(near);
  // The tree has asked for these.
  const { rows: organizations } = rowsOf(useInfiniteQuery(levelQuery(TOP)).data);
  const below = scope ?? (organizations.length === 1 ? organizations[0]?.uid : undefined);
  return <Names value={useMemo(() => ({ names, below }), [names, below])}>{children}</Names>;
}
