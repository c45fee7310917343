import { createContext, useContext, useMemo, type ReactNode } from "react";

import { useAncestorNames as useNamesAbove } from "~/features/scope/use-ancestor-names";

const Names = createContext<ReadonlyMap<string, string>>(new Map());

/** The names of the groups above the rows of a list, by uid, as far as they are known. */
export const useAncestorNames = (): ReadonlyMap<string, string> => useContext(Names);

/** The place of a record that has the uid of its group: in that group. */
export const within = ({ uid }: { readonly uid: string }): { readonly uid: string } => ({ uid: `${uid}/` });

interface AncestorNamesProps {
  readonly rows: readonly { readonly uid: string; readonly name?: string | undefined }[];
  /** Number of the first row in view. */
  readonly at: number | undefined;
  /** The rows have the uids of the groups that they lie in. */
  readonly keyed?: boolean | undefined;
  /** Only the rows near `at` are asked about: those of a scan may lie under thousands of groups. */
  readonly onlyNear: boolean;
  readonly children: ReactNode;
}

/** Asks for the names of the groups above these rows, for the cells within. */
export function AncestorNames({ rows, at = 0, keyed, onlyNear, children }: AncestorNamesProps): ReactNode {
  const near = useMemo(() => {
    const some = onlyNear ? rows.slice(Math.max(0, at - 5), at + 45) : rows;
    return keyed ? some.map(within) : some;
  }, [onlyNear, keyed, rows, at]);
  return <Names value={useNamesAbove(near)}>{children}</Names>;
}
