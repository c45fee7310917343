import { Button } from "@mantine/core";
import { useEffect, type ReactNode } from "react";

import type { BulkJob, JobSnapshot } from "~/api/bulk/bulk-job";
import type { JobWords } from "~/api/bulk/storage";
import "~/ui/controls/button-styles";
import { DELETIONS } from "~/api/bulk/teardown";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { formatCount } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { offerUndo, undoKeys } from "~/ui/undo-key";
import { useLatest } from "~/ui/use-latest";

import classes from "./bulk-delete.module.css";
import { csvRows } from "./words";

interface BulkButtonsProps {
  readonly job: BulkJob;
  readonly snapshot: JobSnapshot;
  readonly words: JobWords;
  readonly failed: number;
  readonly onClose: () => void;
  /** Creates again what was deleted and can be. */
  readonly onUndo: () => void;
}

/** The actions available in a job's current status. */
export function BulkButtons({ job, snapshot, words, failed, onClose, onUndo }: BulkButtonsProps): ReactNode {
  const { status, items, checking } = snapshot;
  const paused = useWritesPaused();
  const undoable = items.some(({ state, again }) => state === "done" && again);
  const blocked = paused?.reason ?? (checking ? "Checking interrupted requests" : undefined);
  const offersUndo = status === "finished" && undoable && paused === undefined;
  const latest = useLatest(onUndo);
  useEffect(() => (offersUndo ? offerUndo(() => latest.current()) : undefined), [offersUndo, latest]);
  const save = () => {
    const text = BYTE_ORDER_MARK + csvRows(items, words).map(csvLine).join("");
    const { done, many, of } = words;
    const deed = done === DELETIONS.words.done ? "removed" : done;
    const name = of === undefined ? `${done} ${many}` : `${deed} access ${of} ${today()}`;
    saveAs(`${name.toLowerCase().replaceAll(/[^\p{L}\p{N}.-]+/gu, "-")}.csv`, text, "text/csv;charset=utf-8");
  };
  return (
    <div className={classes["buttons"]}>
      {status === "finished" ? null : (
        <>
          {/* A single button for both, so that it keeps the focus when pressed. */}
          <DisabledReason reason={status === "paused" ? blocked : undefined}>
            <Button variant="default" onClick={status === "paused" ? job.resume : job.pause}>
              {status === "paused" ? "Resume" : "Pause"}
            </Button>
          </DisabledReason>
          <Button variant="default" onClick={job.cancel}>
            Cancel
          </Button>
        </>
      )}
      {status === "finished" && failed > 0 ? (
        <DisabledReason reason={paused?.reason}>
          <Button variant="default" onClick={job.retryFailed}>
            Retry {formatCount(failed)} failed
          </Button>
        </DisabledReason>
      ) : null}
      {status === "finished" && undoable ? (
        <DisabledReason reason={paused?.reason}>
          <Button
            variant="default"
            aria-keyshortcuts={undoKeys(navigator.userAgent).aria}
            data-tip="Creates them again, with new IDs"
            onClick={onUndo}
          >
            Undo
          </Button>
        </DisabledReason>
      ) : null}
      <Button variant="default" onClick={save}>
        {words.of === undefined ? "Export as CSV" : "Save report"}
      </Button>
      {status === "finished" ? <CloseButton onClose={onClose} /> : null}
    </div>
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Returns the focus to the page. */
export function focusHome(): void {
  const heading = document.querySelector<HTMLElement>("[data-focus-home], h1[tabindex]");
  heading?.focus({ preventScroll: true });
}

/** Closes the panel and returns the focus to the page. */
export function CloseButton({ onClose }: { readonly onClose: () => void }): ReactNode {
  const close = () => {
    onClose();
    focusHome();
  };
  return (
    <Button variant="default" onClick={close}>
      Close
    </Button>
  );
}
