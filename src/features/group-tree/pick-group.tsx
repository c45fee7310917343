import type { MouseEvent, ReactNode } from "react";

import { usePerson } from "~/auth/use-session";

import { groupPage } from "../scope/group-link";
import { GroupTree } from "./group-tree";
import classes from "./pick-group.module.css";

interface PickGroupProps {
  readonly label: string;
  /** uid of the group that is chosen now. */
  readonly current: string | undefined;
  readonly onPick: (uid: string) => void;
}

/** The tree of groups to choose one from. A press chooses; with Ctrl it opens the group's page in a new tab, as any link. */
export function PickGroup({ label, current, onPick }: PickGroupProps): ReactNode {
  const { issuer, subject } = usePerson();
  const plain = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => !ctrlKey && !metaKey && !shiftKey;
  const pick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest("[data-uid]") : null;
    const uid = row?.getAttribute("data-uid");
    if (uid && plain(event)) onPick(uid);
  };
  return (
    // Keys are the tree's: Enter on a row is a press.
    <div
      role="presentation"
      className={classes["tree"]}
      // The link is not followed; what the row itself does with a press, such as opening a level, it still does.
      onClickCapture={(event) => plain(event) && event.preventDefault()}
      onClick={pick}
    >
      {/* What is open here is nothing that the tree of the scope has to show. */}
      <GroupTree
        label={label}
        owner={`choice of ${issuer} ${subject}`}
        current={current}
        linkTo={(uid) => groupPage(uid) as never}
      />
    </div>
  );
}
