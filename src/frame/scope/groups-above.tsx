import { useMemo, type ReactNode } from "react";

import { GroupPath } from "./group-path";
import { ancestorsWithNames } from "./ancestors";
import { useAncestorNames } from "./use-ancestor-names";

/** The names of a record's ancestors, root first. */
export function GroupsAbove({ uid }: { readonly uid: string }): ReactNode {
  const rows = useMemo(() => [{ uid }], [uid]);
  return <GroupPath places={ancestorsWithNames(uid, useAncestorNames(rows))} />;
}
