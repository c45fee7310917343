import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { Segmented } from "~/ui/controls/segmented";
import { Document } from "~/ui/display/json-document";
import { Dialog } from "~/ui/overlay/dialog";

import classes from "./pull-token.module.css";
import { textOf, USES, type Use } from "./texts";

interface MadeProps {
  readonly token: string;
  readonly name: string;
  readonly host: string;
  readonly repository: string;
  /** What to know besides. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows the token, once. */
export function Made({ token, name, host, repository, children, onClose }: MadeProps): ReactNode {
  const [use, setUse] = useState<Use>("docker");
  return (
    <Dialog
      title="Pull token created"
      size="40rem"
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={onClose}
      footer={
        <Button variant="default" onClick={onClose} data-autofocus>
          Done
        </Button>
      }
    >
      <p role="status">Copy it now. It isn&apos;t stored anywhere and is gone when you close this.</p>
      {children}
      {/* What uses it has the whole of it below. */}
      <div className={classes["token"]}>
        <Document text={token} what="pull token" />
      </div>
      <Segmented label="Use with" value={use} options={USES} onChange={setUse} />
      <Document
        text={textOf(use, { host, repository, name, token })}
        what={USES.find(({ value }) => value === use)?.label ?? ""}
      />
    </Dialog>
  );
}
