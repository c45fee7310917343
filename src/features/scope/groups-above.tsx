import { useMemo, type ReactNode } from "react";

import { GroupPath } from "./group-path";
import { ancestorsWithNames } from "./ancestors";
import { useAncestorNames } from "./use-ancestor-names";

/** The groups that a record lies in, root first, by their names. */
export function GroupsAbove({ uid }: { readonly uid: string }): ReactNode {
  const rows = useMemo(() => [{ uid }], [uid]);
  return <GroupPath places={ancestorsWithNames(uid, useAncestorNames(rows))} />;
}
