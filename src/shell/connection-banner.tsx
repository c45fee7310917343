import { Button } from "@mantine/core";
import { TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import { tryNow, useConnection } from "~/api/client/connection";
import "~/ui/controls/button-styles";
import { useSecondsLeft, waitText } from "~/ui/feedback/countdown";

import styles from "./connection-banner.module.css";

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * Says that the service cannot be reached, what that means for what is on screen, and when it is tried again. Its code
 * comes with the page: when it is needed it could not be fetched.
 */
export function ConnectionBanner(): ReactNode {
  const connection = useConnection();
  const down = connection.state === "down" ? connection : undefined;
  const wait = useSecondsLeft(down?.nextTry);
  const read = down?.heardAt && ` Showing data from ${clock.format(down.heardAt)}. Changes are paused.`;
  return (
    // Always there: a live region is only heard when it was there before its words.
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
