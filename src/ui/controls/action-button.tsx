import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "./button-styles";
import { DisabledReason } from "../overlay/disabled-reason";
import { usePageActions } from "../overlay/page-actions";

interface ActionButtonProps {
  /** Why it is disabled; undefined if it is enabled. */
  reason: string | undefined;
  onClick: () => void;
  /** "filled" for the one primary action of a screen. */
  variant?: "filled" | "default";
  /** A verb and its object: "Create identity". */
  children: ReactNode;
}

/** A button that stays visible if the user lacks permission, and says why it is disabled. */
export function ActionButton({ reason, onClick, variant = "default", children }: ActionButtonProps) {
  const primary = variant === "filled";
  usePageActions(() =>
    typeof children === "string" ? [{ label: children, onSelect: onClick, disabled: reason, primary }] : [],
  );
  return (
    <DisabledReason reason={reason}>
      <Button variant={variant} onClick={onClick}>
        {children}
      </Button>
    </DisabledReason>
  );
}
