import type { MouseEvent, ReactNode } from "react";

import { usePerson } from "~/auth/use-session";

import { groupPage } from "~/frame/scope/group-link";
import { FindGroup } from "./find-group";
import { GroupTree, type LinkTo } from "./group-tree";
import classes from "./pick-group.module.css";
import { noteGroup } from "./recent-groups";

interface PickGroupProps {
  readonly label: string;
  /** uid of the selected group. */
  readonly current: string | undefined;
  readonly onPick: (uid: string) => void;
}

/** The one picker of a group: a search over all of them, which takes the focus, and the tree. A click selects; Ctrl+click opens the group's page in a new tab, as for any link. */
export function PickGroup({ label, current, onPick }: PickGroupProps): ReactNode {
  const { issuer, subject } = usePerson();
  const plain = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => !ctrlKey && !metaKey && !shiftKey;
  const pick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest("[data-uid]") : null;
    const uid = row?.getAttribute("data-uid");
    if (!uid || !plain(event)) return;
    noteGroup(uid);
    onPick(uid);
  };
  const linkTo: LinkTo = (uid) => groupPage(uid);
  return (
    // The tree handles keys: Enter on a row triggers a click.
    <div
      role="presentation"
      className={classes["tree"]}
      // Do not follow the link, but keep the row's own click handling, such as opening a level.
      onClickCapture={(event) => plain(event) && event.preventDefault()}
      onClick={pick}
    >
      {/* Its own owner, so that groups opened here do not open in the scope's tree. */}
      <FindGroup current={current} linkTo={linkTo} takesFocus>
        <GroupTree label={label} owner={`choice of ${issuer} ${subject}`} current={current} linkTo={linkTo} />
      </FindGroup>
    </div>
  );
}
