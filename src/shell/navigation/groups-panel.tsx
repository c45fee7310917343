import { Link } from "@tanstack/react-router";
import { Maximize2Icon, Minimize2Icon } from "lucide-react";
import {
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { usePerson } from "~/auth/use-session";
import { FindGroup } from "~/frame/group-tree/find-group";
import { GroupTree } from "~/frame/group-tree/group-tree";
import { noteGroup } from "~/frame/group-tree/recent-groups";
import { Help } from "~/frame/help/help";
import { onlyGroup } from "~/frame/scope/chosen-group";
import { useTopGroups } from "~/frame/scope/top-groups";
import { IconButton } from "~/ui/controls/icon-button";
import { observeSize } from "~/ui/observe-size";
import { readPreference, writePreference } from "~/ui/preferences";
import { linkOut, useScopeLink } from "~/shell/links";
import { useCurrentGroup } from "~/shell/use-current";
import { useRefusal } from "~/frame/permissions/use-can";
import { groups } from "platform-contract/iam/groups";
import type { TreeNode } from "~/frame/group-tree/rows";
import { useGroupMenu, useMoveByDrag, withDrawer } from "~/domains/organization/groups/group-menu";
import { copyText } from "~/ui/display/copy-text";
import type { MenuAction } from "~/ui/overlay/menu";

import styles from "./navigation.module.css";

/** The menu of a group in the tree. What the user's roles do not allow there is disabled, with the reason. */
function useTreeActions(): (node: TreeNode) => readonly MenuAction[] {
  const refusal = useRefusal();
  const menu = useGroupMenu();
  return ({ uid }) => [
    ...menu(uid),
    { label: "Rename", link: withDrawer(uid, "edit"), disabled: refusal(groups.update, uid) },
    { label: "Copy uid", onSelect: () => void copyText(uid, "uid") },
    {
      label: "Delete with contents…",
      link: withDrawer(uid, "teardown"),
      disabled: refusal(groups.delete, uid),
      danger: true,
    },
  ];
}

const TREE_HEIGHT = "navigation.tree";
/** Px: of a step of the arrow keys, and the least that the tree and the screens keep. */
const STEP_PX = 28;
const MIN_HEIGHT_PX = 112;

/** Px: the height of the tree, and of the tree and the screens together. */
const roomOf = (line: HTMLElement | null) => {
  const tree = line?.parentElement;
  return {
    now: tree?.offsetHeight ?? MIN_HEIGHT_PX,
    whole: tree?.parentElement?.offsetHeight ?? MIN_HEIGHT_PX,
  };
};

/** The line between the screens and the tree, which can be dragged, or moved by the arrow keys, Home and End. */
function Divider({ onHeight }: { readonly onHeight: (height: number) => void }): ReactNode {
  const line = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number>();
  const [limits, setLimits] = useState({ now: MIN_HEIGHT_PX, most: MIN_HEIGHT_PX });
  useEffect(() => {
    const tree = line.current?.parentElement;
    if (!tree) return undefined;
    return observeSize(tree, () => {
      const { now, whole } = roomOf(line.current);
      setLimits({ now, most: Math.max(MIN_HEIGHT_PX, whole - MIN_HEIGHT_PX) });
    });
  }, []);
  const set = (wanted: number, keep: boolean) => {
    const most = Math.max(MIN_HEIGHT_PX, roomOf(line.current).whole - MIN_HEIGHT_PX);
    const next = Math.round(Math.max(MIN_HEIGHT_PX, Math.min(most, wanted)));
    onHeight(next);
    if (keep) writePreference(TREE_HEIGHT, String(next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { now, whole } = roomOf(line.current);
    const wanted = { ArrowUp: now + STEP_PX, ArrowDown: now - STEP_PX, Home: whole, End: MIN_HEIGHT_PX }[
      event.key
    ];
    if (wanted === undefined) return;
    event.preventDefault();
    set(wanted, true);
  };
  return (
    <div
      ref={line}
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the tree"
      aria-valuenow={limits.now}
      aria-valuemin={MIN_HEIGHT_PX}
      aria-valuemax={limits.most}
      tabIndex={0}
      className={styles["divider"]}
      data-held={held === undefined ? undefined : ""}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(event.clientY + roomOf(line.current).now);
      }}
      onPointerMove={({ clientY }) => held !== undefined && set(held - clientY, false)}
      onPointerUp={({ clientY }) => {
        if (held !== undefined) set(held - clientY, true);
        setHeld(undefined);
      }}
    />
  );
}

interface GroupsPanelProps {
  /** True if the tree has the height of the screens too. */
  readonly full: boolean;
  readonly onFull: (full: boolean) => void;
}

/** The groups that each screen can be limited to: a tree with a search, a menu for each group, and a height of its own. */
export function GroupsPanel({ full, onFull }: GroupsPanelProps): ReactNode {
  const { issuer, subject } = usePerson();
  const { group, scoped } = useScopeInTree();
  const linkTo = useScopeLink();
  const actions = useTreeActions();
  const drag = useMoveByDrag();
  const [height, setHeight] = useState(() => Number(readPreference(TREE_HEIGHT)) || undefined);
  // Renders after the screen's first rows; its space is reserved.
  const withTree = useDeferredValue(true, false);
  useEffect(() => {
    if (scoped && group !== undefined) noteGroup(group);
  }, [scoped, group]);
  return (
    <section
      className={styles["groups"]}
      data-scoped={scoped || undefined}
      data-full={full || undefined}
      aria-label="Scope"
      style={height === undefined ? undefined : ({ "--tree-height": `${height}px` } as CSSProperties)}
    >
      {full ? null : <Divider onHeight={setHeight} />}
      <div className={styles["groupsHead"]}>
        <span>
          Scope <Help about="scope" />
        </span>
        <span>
          {/* Always rendered: a link that disappears when pressed would lose the focus. */}
          <Link
            to="."
            search={linkOut}
            className={styles["everything"]}
            data-current={group === undefined}
            aria-current={group === undefined ? "true" : undefined}
          >
            All groups
          </Link>
          <IconButton
            label={full ? "Show the screens again" : "Show only the tree"}
            aria-pressed={full}
            onClick={() => onFull(!full)}
          >
            {full ? <Minimize2Icon size={14} /> : <Maximize2Icon size={14} />}
          </IconButton>
        </span>
      </div>
      <div className={styles["tree"]}>
        <FindGroup current={group} linkTo={linkTo}>
          {withTree ? (
            <GroupTree
              label="Groups"
              owner={`${issuer} ${subject}`}
              current={group}
              linkTo={linkTo}
              actions={actions}
              drag={drag}
            />
          ) : null}
        </FindGroup>
      </div>
    </section>
  );
}

/** The group that the tree marks. Without a scope, that is the only one a person can see: the header names it too. */
function useScopeInTree(): { readonly group: string | undefined; readonly scoped: boolean } {
  const here = useCurrentGroup();
  const only = onlyGroup(useTopGroups());
  return here.group !== undefined || only === undefined ? here : { group: only, scoped: true };
}
