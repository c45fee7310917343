import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { Code } from "~/ui/display/code";
import { CopyButton } from "~/ui/display/copy-button";
import { Notice } from "~/ui/feedback/notice";
import { Dialog } from "~/ui/overlay/dialog";

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
  const { registryHost: host } = useRouteContext({ from: "__root__" }).config;
  const ways = host === undefined ? [] : waysToInstall(uid, { name, version, host });
  const written = coordinate(uid, { name, version });
  return (
    <Dialog
      title={
        <>
          Install{" "}
          <bdi>
            {name} {version}
          </bdi>
        </>
      }
      size="46rem"
      onClose={onClose}
    >
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
    </Dialog>
  );
}
