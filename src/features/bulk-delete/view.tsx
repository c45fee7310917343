import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";

import { hasFailed } from "~/api/bulk/items";
import type { OpenLedger } from "~/api/bulk/current-job";
import { announce } from "~/ui/feedback/announcer";
import { useSecondsLeft, waitText } from "~/ui/feedback/countdown";
import { FilterSelect } from "~/ui/controls/filters";
import { draftsKept } from "~/ui/form/drafts";
import { IconButton } from "~/ui/controls/icon-button";
import { Notice } from "~/ui/feedback/notice";
import { formatCount } from "~/ui/display/numbers";

import { BulkButtons } from "./buttons";
import { BulkItems } from "./items";
import classes from "./bulk-delete.module.css";
import { progressText, reasonsOf, titleOf } from "./words";

/** A ledger, docked over whatever screen there is: how far it is, what became of each item, and what can be done. */
export function BulkView({ ledger, plan, restored }: OpenLedger): ReactNode {
  const facts = useSyncExternalStore(ledger.subscribe, ledger.get);
  const { run, items, counts, waitUntil, trouble, kept } = facts;
  const [small, setSmall] = useState(false);
  const [failedOnly, setFailedOnly] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const wait = useSecondsLeft(run === "running" ? waitUntil : undefined);
  const failed = useMemo(() => items.filter(({ state }) => hasFailed(state)), [items]);
  const shown = failedOnly ? failed : items;
  const title = titleOf(plan, items.length, run);
  const text = progressText(counts, wait > 0 ? waitText(wait) : undefined);

  useEffect(() => {
    // Whoever has just begun it goes on here; after a reload nobody expects the focus to be here.
    if (!restored) heading.current?.focus();
  }, [restored]);
  // A button that is no longer to be pressed takes the focus with it, and nobody has left.
  const within = useRef(false);
  useEffect(() => {
    if (within.current && document.activeElement === document.body) heading.current?.focus();
  }, [run]);
  // Heard when it begins, rests or ends; how far it is can be read.
  const said = useRef(text);
  said.current = text;
  useEffect(() => {
    announce(run === "running" ? title : [title, said.current, trouble].filter(Boolean).join(". "));
  }, [run, title, trouble]);
  useEffect(() => {
    if (run !== "running") return;
    const ask = (event: BeforeUnloadEvent) => {
      // To sign in again is to come back, and the ledger is kept.
      if (!draftsKept()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [run]);

  return (
    <section
      className={classes["panel"]}
      aria-label={title}
      data-small={small || undefined}
      onFocus={() => {
        within.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) within.current = false;
      }}
    >
      <div className={classes["header"]}>
        <h2 ref={heading} tabIndex={-1} className={classes["title"]}>
          {title}
        </h2>
        <IconButton label={small ? "Show items" : "Hide items"} onClick={() => setSmall(!small)}>
          {small ? <ChevronUpIcon size={16} /> : <ChevronDownIcon size={16} />}
        </IconButton>
      </div>
      <div className={classes["progress"]}>
        <p>{text}</p>
        <progress
          aria-label={title}
          max={items.length}
          value={items.length - counts.queued - counts.sending - counts.waiting - counts.checking}
        />
      </div>
      <BulkButtons ledger={ledger} plan={plan} facts={facts} failed={failed.length} />
      {trouble === undefined ? null : (
        <Notice tone="warning" title="Paused">
          {trouble}
        </Notice>
      )}
      {restored && run === "paused" && trouble === undefined ? (
        <Notice>The page was left while this was under way. Nothing is sent before you resume.</Notice>
      ) : null}
      {run === "elsewhere" ? (
        <Notice title="Runs in another tab">
          This tab shows how far it is and sends nothing. When the other one is closed, it can be resumed
          here.
        </Notice>
      ) : null}
      {kept || run === "over" ? null : (
        <Notice tone="warning">This browser has no room to keep the list: a reload would forget it.</Notice>
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
                  { value: "", label: `all ${formatCount(items.length)}` },
                  { value: "failed", label: `failed only (${formatCount(failed.length)})` },
                ]}
                onChange={(value) => setFailedOnly(value === "failed")}
              />
            </div>
          ) : null}
          <BulkItems label={`Outcomes: ${plan.many}`} items={shown} />
        </>
      )}
    </section>
  );
}

/** Why items failed, each reason in full: a table's cell has no room for it. */
function Reasons({ items }: { items: Parameters<typeof reasonsOf>[0] }): ReactNode {
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
