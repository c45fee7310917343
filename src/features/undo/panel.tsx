import { Button } from "@mantine/core";
import {
  CircleCheckIcon,
  CircleQuestionMarkIcon,
  ClockIcon,
  Trash2Icon,
  TriangleAlertIcon,
  type LucideIcon,
} from "lucide-react";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { type Deletion, type DeletionQueue, type DeletionState } from "~/api/mutations/deletion-queue";
import "~/ui/controls/button-styles";
import { RequestId } from "~/ui/feedback/request-id";
import { hideToast, showStanding } from "~/ui/feedback/toasts";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import type { DeletionTarget } from "./deletions";
import classes from "./panel.module.css";
import { keysOf, sentenceOf } from "./words";

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

/** Shows the deletions of this tab among the toasts, as long as there is something to say of them. */
export function showDeletions(queue: Queue): void {
  if (queue.get().length > 0) showStanding(ID, <Deletions queue={queue} />);
  else hideToast(ID);
}

/** Every deletion with where it stands. The time stops while somebody points at them, or has the focus there. */
function Deletions({ queue }: { readonly queue: Queue }): ReactNode {
  const all = useSyncExternalStore(queue.subscribe, queue.get);
  useEffect(() => queue.resume, [queue]);
  return (
    <ul
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

function Item({ of, queue }: { readonly of: Deletion<DeletionTarget>; readonly queue: Queue }): ReactNode {
  const { uid, state, canUndo, requestId, target } = of;
  const Icon = ICONS[state];
  const keys = keysOf(navigator.userAgent);
  return (
    <li className={classes["item"]} data-state={state}>
      <Icon size={16} className={classes["icon"] ?? ""} />
      <span className={classes["text"]}>
        {sentenceOf(of)}
        {canUndo ? <VisuallyHidden> {keys.words} undoes it.</VisuallyHidden> : null}
        {requestId === undefined ? null : <RequestId value={requestId} />}
      </span>
      {canUndo ? (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Undo deleting ${target.name}`}
          aria-keyshortcuts={keys.aria}
          data-tip={`Undo (${keys.words})`}
          onClick={() => queue.undo(uid)}
        >
          Undo
        </Button>
      ) : null}
      {state === "failed" ? (
        <Button variant="subtle" size="compact-sm" onClick={() => queue.dismiss(uid)}>
          Dismiss
        </Button>
      ) : null}
      {state === "waiting" ? <span className={classes["clock"]} aria-hidden="true" /> : null}
    </li>
  );
}
