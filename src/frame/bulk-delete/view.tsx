import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from "react";

import type { BulkJob } from "~/api/bulk/bulk-job";
import { hasFailed } from "~/api/bulk/outcome";
import type { JobWords } from "~/api/bulk/storage";
import { announce } from "~/ui/feedback/announcer";
import { useSecondsLeft, waitText } from "~/ui/feedback/countdown";
import { FilterSelect } from "~/ui/controls/filters";
import { draftsKept } from "~/ui/form/drafts";
import { IconButton } from "~/ui/controls/icon-button";
import { Notice } from "~/ui/feedback/notice";
import { formatCount } from "~/ui/display/numbers";
import { readPreference } from "~/ui/preferences";
import { ASK_FIRST } from "~/frame/undo/ask-first";

import { BulkButtons, focusHome } from "./buttons";
import { BulkItems } from "./items";
import classes from "./bulk-delete.module.css";
import { progressText, reasonsOf, titleOf } from "./words";
import { useLatest } from "~/ui/use-latest";

interface BulkViewProps {
  readonly job: BulkJob;
  readonly words: JobWords;
  readonly restored: boolean;
  /** True if a success needs no answer: the panel ends by itself. */
  readonly ends: boolean;
  readonly onClose: () => void;
  readonly onUndo: () => void;
}

/** A bulk job on every screen: a line with its progress and buttons, which opens to the outcome of each item. */
export function BulkView({ job, words, restored, ends, onClose, onUndo }: BulkViewProps): ReactNode {
  const snapshot = useSyncExternalStore(job.subscribe, job.get);
  const { status, items, counts, waitUntil, problem, stored } = snapshot;
  const [small, setSmall] = useState(true);
  const [failedOnly, setFailedOnly] = useState(false);
  const wait = useSecondsLeft(status === "running" ? waitUntil : undefined);
  const failed = useMemo(() => items.filter(({ state }) => hasFailed(state)), [items]);
  const title = titleOf(words, snapshot);
  const progress = progressText(counts, words);
  const { heading, onFocus, onBlur } = useHeadingFocus(status, restored);
  const panel = useRef<HTMLElement>(null);
  const isWhole = status === "finished" && counts.done === items.length;
  useEnd(panel, ends && isWhole && small, onClose);
  useConfirmLeave(status === "running");

  // Announce only status changes; progress can be read in the panel.
  const latest = useLatest({ title, progress });
  useEffect(() => {
    const { title: name, progress: text } = latest.current;
    announce(status === "running" ? name : [name, text, problem].filter(Boolean).join(". "));
  }, [status, problem, latest]);

  return (
    <section
      ref={panel}
      className={classes["panel"]}
      aria-label={title}
      data-small={small || undefined}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <div className={classes["header"]}>
        <h2 ref={heading} tabIndex={-1} className={classes["title"]}>
          {title}
        </h2>
        <IconButton
          label={small ? "Show items" : "Hide items"}
          aria-expanded={!small}
          onClick={() => setSmall(!small)}
        >
          {small ? <ChevronUpIcon size={16} /> : <ChevronDownIcon size={16} />}
        </IconButton>
      </div>
      <div className={classes["progress"]}>
        <p>{progress}</p>
        {wait > 0 ? <p>Service busy. Retrying in {waitText(wait)}.</p> : null}
        <progress
          aria-label={title}
          max={items.length}
          value={items.length - counts.queued - counts.sending}
        />
      </div>
      <BulkButtons {...{ job, snapshot, words, onClose, onUndo }} failed={failed.length} />
      {problem === undefined ? null : (
        <Notice tone="warning" title="Paused">
          {problem}
        </Notice>
      )}
      {restored && status === "paused" && problem === undefined ? (
        <Notice>The page was reloaded. Resume to continue.</Notice>
      ) : null}
      {stored || status === "finished" ? null : (
        <Notice tone="warning">Storage is full. If you reload, this report is lost.</Notice>
      )}
      {small ? null : (
        <>
          <Reasons items={failed} />
          {failed.length > 0 || failedOnly ? (
            <div>
              <FilterSelect
                label="Show"
                value={failedOnly ? "failed" : undefined}
                options={[
                  { value: "", label: `All (${formatCount(items.length)})` },
                  { value: "failed", label: `Failed only (${formatCount(failed.length)})` },
                ]}
                onChange={(value) => setFailedOnly(value === "failed")}
              />
            </div>
          ) : null}
          <BulkItems words={words} items={failedOnly ? failed : items} />
        </>
      )}
    </section>
  );
}

/** Focuses the heading of a new job, and again when a status change removes the focused button. */
function useHeadingFocus(status: string, restored: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const within = useRef(false);
  useLayoutEffect(() => {
    // Do not steal the focus after a reload.
    if (!restored) heading.current?.focus();
  }, [restored]);
  useLayoutEffect(() => {
    if (within.current && document.activeElement === document.body) heading.current?.focus();
  }, [status]);
  const onFocus = () => void (within.current = true);
  const onBlur = ({ relatedTarget }: { readonly relatedTarget: EventTarget | null }) => {
    if (relatedTarget) within.current = false;
  };
  return { heading, onFocus, onBlur };
}

/** Ms that a success is shown: long enough to take it back. */
const END_AFTER_MS = 20_000;

/** The heading has the focus of every new job: only what somebody went to holds the panel. */
const HELD = ":hover, :has(:focus-visible:not(h2))";

/** Closes a success in which nobody is at work, by pointer or by keyboard, unless the user wants time to undo. */
function useEnd(panel: RefObject<HTMLElement | null>, ended: boolean, onClose: () => void): void {
  const close = useLatest(onClose);
  useEffect(() => {
    if (!ended || readPreference(ASK_FIRST) !== null) return undefined;
    const timer = setInterval(() => {
      if (panel.current?.matches(HELD)) return;
      if (panel.current?.contains(document.activeElement)) focusHome();
      close.current();
    }, END_AFTER_MS);
    return () => clearInterval(timer);
  }, [panel, ended, close]);
}

/** Confirms before the page unloads, except to sign in again, which restores the job. */
function useConfirmLeave(running: boolean): void {
  useLayoutEffect(() => {
    if (!running) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!draftsKept()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [running]);
}

/** Shows each reason in full; table cells have no room for them. */
export function Reasons({ items }: { items: Parameters<typeof reasonsOf>[0] }): ReactNode {
  const reasons = useMemo(() => reasonsOf(items), [items]);
  if (reasons.length === 0) return null;
  return (
    <ul className={classes["reasons"]} aria-label="Reasons">
      {reasons.slice(0, 20).map(({ reason, count }) => (
        <li key={reason}>
          {formatCount(count)}: {reason}
        </li>
      ))}
    </ul>
  );
}
