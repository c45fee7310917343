import { Button, Modal } from "@mantine/core";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import "@mantine/core/styles/Modal.css";
import "~/ui/controls/button-styles";
import { Code } from "~/ui/display/code";
import { CopyButton } from "~/ui/display/copy-button";
import { Notice } from "~/ui/feedback/notice";
import "~/ui/overlay/dialog-styles";
import dialog from "~/ui/overlay/dialog.module.css";
import { dialogParts } from "~/ui/overlay/dialog-parts";
import { useReturnFocus } from "~/ui/overlay/return-focus";

import { coordinate, waysToInstall } from "./install";
import classes from "./styles.module.css";

interface InstallDialogProps {
  readonly uid: string;
  readonly name: string;
  readonly version: string;
  readonly onClose: () => void;
}

/** Dialog that shows how to install a version of a library with each tool. */
export function InstallDialog({ uid, name, version, onClose }: InstallDialogProps): ReactNode {
  useReturnFocus(true);
  const { registryHost: host } = useRouteContext({ from: "__root__" }).config;
  const ways = host === undefined ? [] : waysToInstall(uid, { name, version, host });
  const written = coordinate(uid, { name, version });
  return (
    <Modal.Root opened onClose={onClose} size="46rem" centered returnFocus={false} classNames={dialogParts}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>
            Install{" "}
            <bdi>
              {name} {version}
            </bdi>
          </Modal.Title>
        </div>
        <Modal.Body>
          {host === undefined ? (
            <Notice title="Registry address not set">
              Install commands appear when an admin sets <code>registryHost</code> in config.json.
            </Notice>
          ) : null}
          {ways.length === 0 ? <Code value={written} what="coordinate" /> : null}
          {ways.map(({ id, label, hint, text }) => (
            <section key={id} aria-label={label}>
              <div className={classes["wayHead"]}>
                <h3 className={classes["wayName"]}>{label}</h3>
                <span className={classes["quiet"]}>{hint}</span>
                <CopyButton value={text} what={`${label} snippet`} />
              </div>
              <pre className={classes["snippet"]} tabIndex={0} aria-label={`${label} snippet`} dir="ltr">
                {text}
              </pre>
            </section>
          ))}
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
