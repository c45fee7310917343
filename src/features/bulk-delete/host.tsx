import { useSyncExternalStore, type ReactNode } from "react";

import { isLedgerThere, subscribeLedger } from "~/api/bulk/current-job";
import { onDemand } from "~/ui/on-demand";

// Nobody needs it before there is a ledger.
const Panel = onDemand(async () => (await import("./panel")).BulkPanel);

/** Where the ledger of this tab is shown, whatever the screen; once, in the shell. */
export function BulkDeleteHost(): ReactNode {
  return useSyncExternalStore(subscribeLedger, isLedgerThere) ? <Panel /> : null;
}
