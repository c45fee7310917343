import { Button, Checkbox } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import "../controls/button-styles";
import { Code } from "../display/code";
import { Dialog } from "./dialog";
import classes from "./shown-once.module.css";

interface ShownOnceProps {
  readonly title: string;
  /** What the user has to copy before the dialog closes: "I've copied the token"; undefined if they need not. */
  readonly copied: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows what can't be shown again, and closes when the user says that they have it. */
export function ShownOnce({ title, copied, onClose, children }: ShownOnceProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const closable = isCopied || copied === undefined;
  return (
    <Dialog
      title={title}
      size="36rem"
      closeOnEscape={closable}
      closeOnClickOutside={false}
      onClose={onClose}
      footer={
        <Button disabled={!closable} onClick={onClose}>
          Done
        </Button>
      }
    >
      {children}
      {copied === undefined ? null : (
        <Checkbox
          checked={isCopied}
          onChange={(event) => setCopied(event.currentTarget.checked)}
          label={copied}
        />
      )}
    </Dialog>
  );
}

interface SecretProps {
  readonly label: string;
  readonly value: string;
  /** What the copy button copies: "token". */
  readonly what: string;
}

/** A text to copy. */
export const Secret = ({ label, value, what }: SecretProps): ReactNode => (
  <div>
    <span className={classes["label"]}>{label}</span>
    <div className={classes["secret"]}>
      <Code value={value} what={what} />
    </div>
  </div>
);
