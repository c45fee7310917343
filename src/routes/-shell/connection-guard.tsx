import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";

import { useConnection } from "~/api/connection";
import { catchUp } from "~/api/recovery";
import { announce } from "~/kit/announcer";
import { HeldBackContext } from "~/kit/held-back";

/**
 * Holds back what would be written while the service cannot be reached, and reads again what could not be read once it
 * can be.
 */
export function ConnectionGuard({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useQueryClient();
  const connection = useConnection();
  const down = connection.state === "down";
  const wasDown = useRef(false);
  useEffect(() => {
    if (wasDown.current && !down) {
      announce("Connected again.");
      catchUp(client);
    }
    wasDown.current = down;
  }, [down, client]);
  return (
    <HeldBackContext value={down ? `${connection.message} Changes wait until it can be.` : undefined}>
      {children}
    </HeldBackContext>
  );
}
