import { Button } from "@mantine/core";
import { CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { ErrorFactList } from "~/ui/feedback/error-details";
import { forgetErrors, useSeenErrors } from "~/ui/feedback/seen-errors";

import styles from "~/shell/header.module.css";
import { HeaderPopover } from "~/shell/popover";

/** A button in the header, once an error was shown: what it said, where, and what a report needs. */
export function SeenErrors(): ReactNode {
  const errors = useSeenErrors();
  if (errors.length === 0) return null;
  return (
    <HeaderPopover
      label="Errors seen"
      title={formatQuantity(errors.length, "error seen", "errors seen")}
      side="end"
      button={
        <>
          <CircleAlertIcon size={16} />
          <span className={styles["count"]}>{errors.length}</span>
        </>
      }
    >
      {(close) => (
        <div className={styles["errors"]}>
          <ul aria-label="Errors seen">
            {errors.map((error) => (
              <li key={error.id}>
                <p>{error.message}</p>
                <p className={styles["where"]}>
                  <Time value={new Date(error.at).toISOString()} /> at <code>{error.page}</code>
                </p>
                <ErrorFactList {...error} />
              </li>
            ))}
          </ul>
          <p className={styles["where"]}>Since this page was loaded. Nothing of it is stored.</p>
          <div>
            <Button
              variant="default"
              onClick={() => {
                close();
                forgetErrors();
              }}
            >
              Clear
            </Button>
          </div>
        </div>
      )}
    </HeaderPopover>
  );
}
