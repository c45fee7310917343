import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { ActsProps } from "./use-selectable";

interface ActButtonProps extends ActsProps<unknown> {
  /** The label: a verb and its object. */
  readonly children: ReactNode;
  /** Why it is disabled; undefined if it is enabled. */
  readonly reason?: string | undefined;
  /** True if it deletes something. */
  readonly danger?: boolean;
  /** The dialog, with the props that end it. */
  readonly dialog: (ends: { readonly onClose: () => void; readonly onStarted: () => void }) => ReactNode;
}

/** A button for the selected records that opens a dialog, which is gone once nothing is selected. */
export function ActButton(props: ActButtonProps): ReactNode {
  const { records, onStarted, children, reason, danger = false, dialog } = props;
  const [open, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  return (
    <>
      <DisabledReason reason={reason}>
        <Button
          {...(danger ? { color: "danger", variant: "light" } : { variant: "default" })}
          onClick={() => setOpen(true)}
        >
          {children}
        </Button>
      </DisabledReason>
      {open && records.length > 0
        ? dialog({
            onClose,
            onStarted: () => {
              onClose();
              onStarted();
            },
          })
        : null}
    </>
  );
}
