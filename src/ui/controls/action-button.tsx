import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "./button-styles";
import { DisabledReason } from "../overlay/disabled-reason";

interface ActionButtonProps {
  /** Why it cannot be used; undefined: it can. */
  reason: string | undefined;
  onClick: () => void;
  /** "filled" for the one primary action of a screen. */
  variant?: "filled" | "default";
  /** A verb and its object: "Create identity". */
  children: ReactNode;
}

/** A button for what somebody may not be allowed to do: then it is there all the same, and says why (rule 8). */
export function ActionButton({ reason, onClick, variant = "default", children }: ActionButtonProps) {
  return (
    <DisabledReason reason={reason}>
      <Button variant={variant} onClick={onClick}>
        {children}
      </Button>
    </DisabledReason>
  );
}
