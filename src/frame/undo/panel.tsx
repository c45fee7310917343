import { Button } from "@mantine/core";
import {
  CircleCheckIcon,
  CircleQuestionMarkIcon,
  ClockIcon,
  Trash2Icon,
  TriangleAlertIcon,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from "react";

import { type Deletion, type DeletionQueue, type DeletionState } from "~/api/mutations/deletion-queue";
import "~/ui/controls/button-styles";
import { RequestId } from "~/ui/feedback/request-id";
import { hideToast, showStanding } from "~/ui/feedback/toasts";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { undoKeys } from "~/ui/undo-key";

import classes from "./panel.module.css";
import { sentenceOf, type DeletionTarget } from "./words";

type Queue = DeletionQueue<DeletionTarget>;

const ID = "deletions";

const ICONS: Readonly<Record<DeletionState, LucideIcon>> = {
  waiting: Trash2Icon,
  held: ClockIcon,
  sending: Trash2Icon,
  left: Trash2Icon,
  undoing: ClockIcon,
  deleted: CircleCheckIcon,
  kept: CircleCheckIcon,
  gone: CircleQuestionMarkIcon,
  failed: TriangleAlertIcon,
};

/** Shows this tab's deletions among the toasts, while there are any. */
export function showDeletions(queue: Queue): void {
  if (queue.get().length > 0) showStanding(ID, <Deletions queue={queue} />);
  else hideToast(ID);
}

/** A list of deletions with their states. The timer pauses while the pointer or the focus is on it. */
function Deletions({ queue }: { readonly queue: Queue }): ReactNode {
  const all = useSyncExternalStore(queue.subscribe, queue.get);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => queue.resume, [queue]);
  useEffect(() => {
    // Removing a button that has the focus or is under the pointer fires no blur or mouseleave event.
    if (!list.current?.matches(":hover, :focus-within")) queue.resume();
  }, [all, queue]);
  return (
    <ul
      ref={list}
      className={classes["list"]}
      aria-label="Deletions"
      onMouseEnter={queue.pause}
      onMouseLeave={queue.resume}
      onFocus={queue.pause}
      onBlur={queue.resume}
    >
      {all.map((each) => (
        <Item key={each.uid} of={each} queue={queue} />
      ))}
    </ul>
  );
}

/** Returns the focus to the page after the pressed button disappears. */
const focusHome = (): void =>
  document.querySelector<HTMLElement>("[data-focus-home], h1[tabindex]")?.focus({ preventScroll: true });

function Item({ of, queue }: { readonly of: Deletion<DeletionTarget>; readonly queue: Queue }): ReactNode {
  const { uid, state, canUndo, requestId, target } = of;
  const Icon = ICONS[state];
  const keys = undoKeys(navigator.userAgent);
  return (
    <li className={classes["item"]} data-state={state}>
      <Icon size={16} className={classes["icon"] ?? ""} />
      <span className={classes["text"]}>
        {sentenceOf(of)}
        {canUndo ? <VisuallyHidden> Press {keys.words} to undo.</VisuallyHidden> : null}
        {requestId === undefined ? null : <RequestId value={requestId} />}
      </span>
      {canUndo ? (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Undo deleting ${target.name}`}
          aria-keyshortcuts={keys.aria}
          data-tip={`Undo (${keys.words})`}
          onClick={() => {
            queue.undo(uid);
            focusHome();
          }}
        >
          Undo
        </Button>
      ) : null}
      {state === "failed" ? (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            queue.dismiss(uid);
            focusHome();
          }}
        >
          Dismiss
        </Button>
      ) : null}
      {state === "waiting" ? <span className={classes["clock"]} aria-hidden="true" /> : null}
    </li>
  );
}
