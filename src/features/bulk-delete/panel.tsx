import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { restoreDeletion } from "~/api/bulk/deletion";
import { openLedger, subscribeLedger } from "~/api/bulk/current-job";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";

import { BulkView } from "./view";

/** The ledger of this tab; one that an earlier page has left comes back paused, or to be looked at. */
export function BulkPanel(): ReactNode {
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const open = useSyncExternalStore(subscribeLedger, openLedger);
  useEffect(() => (openLedger() ? undefined : restoreDeletion({ client, owner })), [client, owner]);
  return open ? <BulkView key={open.turn} {...open} /> : null;
}
