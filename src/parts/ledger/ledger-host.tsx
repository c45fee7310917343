import { useSyncExternalStore, type ReactNode } from "react";

import { isLedgerThere, subscribeLedger } from "~/api/ledger-slot";
import { onDemand } from "~/kit/on-demand";

// Nobody needs it before there is a ledger.
const Panel = onDemand(async () => (await import("./ledger-panel")).LedgerPanel);

/** Where the ledger of this tab is shown, whatever the screen; once, in the shell. */
export function LedgerHost(): ReactNode {
  return useSyncExternalStore(subscribeLedger, isLedgerThere) ? <Panel /> : null;
}
