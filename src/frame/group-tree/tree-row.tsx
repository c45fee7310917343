import { Building2Icon, FolderIcon, FolderOpenIcon, TriangleAlertIcon } from "lucide-react";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, CSSProperties, FocusEvent, ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { useSecondsLeft, Wait, waitText } from "~/ui/feedback/countdown";
import { formatCount } from "~/ui/display/numbers";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import styles from "./group-tree.module.css";
import type { NodeRow, AnyTreeRow } from "./rows";

/** The link of a group within the application. */
export type LinkTo = (uid: string) => Pick<LinkProps, "to" | "search">;

interface TreeRowProps {
  readonly row: AnyTreeRow;
  /** Name of the parent group, for rows without a name of their own. */
  readonly within: string | undefined;
  readonly current: boolean;
  readonly active: boolean;
  /** Pixels from the top of the tree. */
  readonly top: number;
  readonly linkTo: LinkTo;
  readonly onToggle: (row: NodeRow) => void;
  readonly onLoad: (row: AnyTreeRow) => void;
  readonly onFocus: (key: string) => void;
  /** What just happened to the group: "New". */
  readonly fresh: string | undefined;
  /** What happened to it between the two moments that the page compares. */
  readonly mark: { readonly word: string; readonly tone: string } | undefined;
  /** Opens the menu of a group at its row; absent if groups have none here. */
  readonly onMenu?: ((row: NodeRow, element: HTMLElement) => void) | undefined;
  readonly draggable: boolean;
  /** True if it would take the group that is held over it. */
  readonly over: boolean;
}

// Beyond this depth, levels are indented only slightly, to leave room for names in a narrow column.
const WIDE_LEVELS = 7;

/** Pixels. */
function indent(depth: number): number {
  const wide = Math.min(depth - 1, WIDE_LEVELS) * 14;
  return wide + Math.min(Math.max(0, depth - 1 - WIDE_LEVELS), 12) * 3;
}

/** `again`: when or how to retry after a failure. */
function wordsOf(row: Exclude<AnyTreeRow, NodeRow>, within: string | undefined, again = "Try again"): string {
  const where = within === undefined ? "" : ` in ${within}`;
  if (row.kind === "loading") return `Loading${where}`;
  if (row.kind === "failed") return `Couldn't load the folders${where}. ${again}`;
  if (row.busy) return `Loading more${where}`;
  if (row.failed) return `Couldn't load more${where}. ${again}`;
  return row.missing === undefined
    ? `Load more${where}`
    : `Load more${where}, ${formatCount(row.missing)} left`;
}

function shortWords(row: Exclude<AnyTreeRow, NodeRow>): string {
  if (row.kind === "loading" || (row.kind === "more" && row.busy)) return "Loading\u2026";
  if (row.kind === "failed" || row.failed) return "Couldn't load. Try again";
  return row.missing === undefined ? "Load more" : `Load more (${formatCount(row.missing)} left)`;
}

/** One row of the tree. A group is a link, so that it can be opened in a new tab. */
export function TreeRow(props: TreeRowProps): ReactNode {
  const {
    row,
    within,
    current,
    active,
    top,
    linkTo,
    onToggle,
    onLoad,
    onFocus,
    fresh,
    mark,
    onMenu,
    draggable,
    over,
  } = props;
  const style: CSSProperties = {
    transform: `translateY(${top}px)`,
    paddingInlineStart: indent(row.depth),
  };
  const shared = {
    role: "treeitem",
    "aria-level": row.depth,
    tabIndex: active ? 0 : -1,
    style,
    onFocus: (_event: FocusEvent) => onFocus(row.key),
  } as const;

  if (row.kind !== "node") return <RestRow {...{ row, within, onLoad, shared }} />;

  const Glyph =
    parentOf(row.node.uid) === ""
      ? Building2Icon
      : row.expandable && row.expanded
        ? FolderOpenIcon
        : FolderIcon;
  return (
    <Link
      {...shared}
      {...linkTo(row.node.uid)}
      preload={false}
      aria-expanded={row.expandable ? row.expanded : undefined}
      aria-selected={current}
      aria-setsize={row.setSize ?? -1}
      aria-posinset={row.position}
      className={styles["row"]}
      data-kind="node"
      data-uid={row.node.uid}
      data-fresh={fresh}
      aria-haspopup={onMenu ? "menu" : undefined}
      aria-keyshortcuts={onMenu ? "Shift+F10" : undefined}
      draggable={draggable}
      data-over={over || undefined}
      title={row.node.name}
    >
      <span
        className={styles["expander"]}
        onClick={(event) => {
          if (!row.expandable) return;
          event.preventDefault();
          event.stopPropagation();
          onToggle(row);
        }}
      />
      <Glyph size={14} className={styles["glyph"] ?? ""} />
      <span className={styles["name"]}>{row.node.name}</span>
      {fresh && (
        <span className={styles["fresh"]} aria-hidden="true">
          {fresh}
        </span>
      )}
      {mark && (
        <span className={styles["fresh"]} data-tone={mark.tone}>
          {mark.word}
        </span>
      )}
      {onMenu && (
        // For the pointer; the keys are Shift+F10 and the menu key. A button cannot be inside of a link.
        <span
          className={`${styles["more"]} pc-dots`}
          data-menu=""
          onClick={(event) => {
            event.preventDefault();
            event.stopPropagation();
            const element = event.currentTarget.closest<HTMLElement>("[role=treeitem]");
            if (element) onMenu(row, element);
          }}
        />
      )}
    </Link>
  );
}

interface RestRowProps extends Pick<TreeRowProps, "within" | "onLoad"> {
  readonly row: Exclude<AnyTreeRow, NodeRow>;
  readonly shared: ComponentProps<"div">;
}

/** A row in place of groups that are not loaded; after a failure, retries automatically when the service allows it. */
function RestRow({ row, within, onLoad, shared }: RestRowProps): ReactNode {
  const failed = row.kind === "failed" || (row.kind === "more" && row.failed);
  const busy = row.kind === "loading" || (row.kind === "more" && row.busy);
  const wait = useSecondsLeft(failed ? row.retryAt : undefined, () => {
    // Unless the user has already retried.
    if (failed) onLoad(row);
  });
  return (
    <div
      {...shared}
      aria-label={wait > 0 ? undefined : wordsOf(row, within)}
      aria-busy={busy || undefined}
      aria-disabled={row.kind === "loading" || undefined}
      className={styles["row"]}
      data-kind={failed ? "failed" : row.kind}
      onClick={() => onLoad(row)}
    >
      <span className={styles["expander"]}>{failed && <TriangleAlertIcon size={12} />}</span>
      <span className={styles["name"]}>
        {wait > 0 ? (
          <>
            {/* The tree is narrow: put the wait first, so that it is not cut off. */}
            <span aria-hidden="true">Retrying in {waitText(wait)}: couldn't load</span>
            <VisuallyHidden>
              {wordsOf(row, within, "Retrying in")} <Wait seconds={wait} />
            </VisuallyHidden>
          </>
        ) : (
          shortWords(row)
        )}
      </span>
    </div>
  );
}
