import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { tryNow, useConnection } from "~/api/client/connection";
import { refetchStale } from "~/api/client/recovery";
import { announce } from "~/ui/feedback/announcer";
import { WritesPausedContext } from "~/ui/feedback/writes-paused";

/** Pauses writes while the service is unreachable, and refetches stale data once it is reachable again. */
export function ConnectionGuard({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const connection = useConnection();
  const down = connection.state === "down";
  const wasDown = useRef(false);
  useEffect(() => {
    if (wasDown.current && !down) {
      announce("Connected again.");
      refetchStale(client);
    }
    wasDown.current = down;
  }, [down, client]);
  const message = down ? connection.message : undefined;
  const heldBack = useMemo(
    () => (message === undefined ? undefined : { reason: `${message} Changes are paused.`, tryNow }),
    [message],
  );
  return <WritesPausedContext value={heldBack}>{children}</WritesPausedContext>;
}
