import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import type { Ledger, LedgerFacts } from "~/api/bulk/types";
import type { LedgerPlan } from "~/api/bulk/storage";
import { putLedger } from "~/api/bulk/current-job";
import "~/ui/controls/button-styles";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { formatCount } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";

import classes from "./bulk-delete.module.css";
import { csvRows } from "./words";

interface LedgerButtonsProps {
  readonly ledger: Ledger;
  readonly plan: LedgerPlan;
  readonly facts: LedgerFacts;
  readonly failed: number;
}

/** What can be done with a ledger, as far as it is. */
export function BulkButtons({ ledger, plan, facts, failed }: LedgerButtonsProps): ReactNode {
  const { run, items, counts } = facts;
  const begun = run === "running" || run === "paused";
  const heldBack = useWritesPaused();
  const checking = counts.checking > 0 ? "What was on its way is being checked" : undefined;
  const save = () => {
    const lines = csvRows(items).map((row) => csvLine(row.map((cell) => cell ?? "")));
    const text = BYTE_ORDER_MARK + lines.join("");
    saveAs(`deleted-${plan.many.replaceAll(" ", "-")}.csv`, text, "text/csv;charset=utf-8");
  };
  const close = () => {
    ledger.close();
    putLedger(undefined);
    const heading = document.querySelector<HTMLElement>("[data-focus-home], h1[tabindex]");
    heading?.focus({ preventScroll: true });
  };
  return (
    <div className={classes["buttons"]}>
      {/* One button for both, so that it keeps the focus when it is pressed. */}
      {begun ? (
        <DisabledReason reason={run === "paused" ? (heldBack?.reason ?? checking) : undefined}>
          <Button variant="default" onClick={run === "paused" ? ledger.resume : ledger.pause}>
            {run === "paused" ? "Resume" : "Pause"}
          </Button>
        </DisabledReason>
      ) : null}
      {begun ? (
        <Button variant="default" onClick={ledger.cancel}>
          Cancel
        </Button>
      ) : null}
      {run === "over" && failed > 0 ? (
        <DisabledReason reason={heldBack?.reason}>
          <Button variant="default" onClick={ledger.retryFailed}>
            Retry {formatCount(failed)} failed
          </Button>
        </DisabledReason>
      ) : null}
      <Button variant="default" onClick={save}>
        Export as CSV
      </Button>
      {begun ? null : (
        <Button variant="default" onClick={close}>
          Close
        </Button>
      )}
    </div>
  );
}
