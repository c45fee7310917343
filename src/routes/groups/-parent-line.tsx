import type { ReactNode } from "react";

import { GroupPath } from "~/parts/group-path";
import { useGroup, usePath } from "~/parts/path";

import classes from "./groups.module.css";

/** Where a new folder will lie, by names: what cannot be chosen in the form is at least said. */
export function ParentLine({ uid }: { readonly uid: string }): ReactNode {
  const { steps } = usePath(uid);
  const { group } = useGroup(uid);
  return (
    <div>
      <p className={classes["term"]}>Inside</p>
      <p className={classes["parent"]}>
        <GroupPath places={[...steps, { uid, name: group?.name }]} />
      </p>
    </div>
  );
}
