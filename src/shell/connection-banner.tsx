import { Button } from "@mantine/core";
import { TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import { tryNow, useConnection } from "~/api/client/connection";
import "~/ui/controls/button-styles";
import { useSecondsLeft, waitText } from "~/ui/feedback/countdown";

import styles from "./connection-banner.module.css";

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * Shows that the service is unreachable, what that means for the data on screen, and when the next retry is. Part of
 * the initial load: once needed, it could not be fetched.
 */
export function ConnectionBanner(): ReactNode {
  const connection = useConnection();
  const down = connection.state === "down" ? connection : undefined;
  const wait = useSecondsLeft(down?.nextTry);
  const read =
    down?.lastResponse && ` Showing data from ${clock.format(down.lastResponse)}. Changes are paused.`;
  return (
    // Always rendered: screen readers only announce live regions that existed before their text.
    <div className={styles["place"]} data-down={down ? true : undefined}>
      <p role="status" className={styles["text"]}>
        {down && (
          <>
            <TriangleAlertIcon size={16} className={styles["icon"] ?? ""} />
            <strong>{down.message}</strong>
            {read}
          </>
        )}
      </p>
      {down && (
        <>
          <span className={styles["wait"]}>{wait > 0 ? `Retrying in ${waitText(wait)}` : "Trying…"}</span>
          <Button variant="default" size="compact-sm" onClick={tryNow}>
            Try now
          </Button>
        </>
      )}
    </div>
  );
}
