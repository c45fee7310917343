import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";

import "./dialog-styles";
import "@mantine/core/styles/Modal.css";
import "../controls/button-styles";
import classes from "./dialog.module.css";
import { focusFirst } from "./focus-first";
import { useReturnFocus } from "./return-focus";

/** Our classes for the root, since Content also passes a class to its frame. */
const PARTS = {
  overlay: classes["backdrop"] ?? "",
  content: classes["content"] ?? "",
  title: classes["title"] ?? "",
  body: classes["body"] ?? "",
};

interface DialogProps {
  readonly title: ReactNode;
  /** Width. */
  readonly size: string;
  readonly opened?: boolean;
  /** Above a form. */
  readonly zIndex?: number;
  readonly closeOnEscape?: boolean;
  readonly closeOnClickOutside?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons; default: one that closes it. */
  readonly footer?: ReactNode;
}

/** A modal dialog; returns the focus when it closes. */
export function Dialog({ title, opened = true, children, footer, ...props }: DialogProps): ReactNode {
  useReturnFocus(opened);
  const close = (
    <Button variant="default" onClick={props.onClose} data-autofocus>
      Close
    </Button>
  );
  return (
    <Modal.Root opened={opened} centered returnFocus={false} classNames={PARTS} {...props}>
      <Modal.Overlay />
      <Modal.Content ref={focusFirst}>
        <div className={classes["header"]}>
          <Modal.Title>{title}</Modal.Title>
        </div>
        <Modal.Body>{children}</Modal.Body>
        <div className={classes["footer"]}>{footer ?? close}</div>
      </Modal.Content>
    </Modal.Root>
  );
}
