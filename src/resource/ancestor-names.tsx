import { createContext, useContext, useMemo, type ReactNode } from "react";

import { useAncestorNames as useNamesAbove } from "~/features/scope/use-ancestor-names";

const Names = createContext<ReadonlyMap<string, string>>(new Map());

/** The names of the groups above the rows of a list, by uid, as far as they are known. */
export const useAncestorNames = (): ReadonlyMap<string, string> => useContext(Names);

interface AncestorNamesProps {
  readonly rows: readonly { readonly uid: string; readonly name?: string | undefined }[];
  /** Number of the first row in view. */
  readonly at: number | undefined;
  /** Only the rows near `at` are asked about: those of a scan may lie under thousands of groups. */
  readonly onlyNear: boolean;
  readonly children: ReactNode;
}

/** Asks for the names of the groups above these rows, for the cells within. */
export function AncestorNames({ rows, at = 0, onlyNear, children }: AncestorNamesProps): ReactNode {
  const near = useMemo(
    () => (onlyNear ? rows.slice(Math.max(0, at - 5), at + 45) : rows),
    [onlyNear, rows, at],
  );
  return <Names value={useNamesAbove(near)}>{children}</Names>;
}
