import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { kinds, listPath } from "platform-contract/kinds";

import { thePast } from "~/api/client/moment";
import "~/ui/controls/button-styles";
import { exactTime } from "~/ui/display/time-text";
import { openCommand } from "~/shell/command/opened";

import { addressAt, latestMoment } from "./address";
import styles from "./moment.module.css";

/** Lists and pages of which the log tells what they showed. */
const TOLD = kinds.filter(({ readTime }) => readTime).map(({ collection }) => listPath(collection));

/** What of the screen at this path is as it was then, and compared with another moment. */
function reachOf(path: string, isCompared: boolean): string {
  const isTold = [...TOLD, "/people"].some((one) => path === one || path.startsWith(`${one}/`));
  if (isTold && isCompared)
    return "Marks say what was created, changed or deleted in between. What this page says about other things is as it is now.";
  if (isTold) return "This page shows what was there then. What it says about other things is as it is now.";
  if (path === "/")
    return "Groups, identities, roles, role bindings, repos and tags are shown as they were then, everything else as it is now.";
  return "This page shows what is there now: only groups, identities, roles, role bindings, repos and tags can be shown as they were.";
}

/** Says which moment of the past the page shows, frames it, and leads back. */
export function MomentBanner(): ReactNode {
  const { moment = "", comparedWith } = thePast() ?? {};
  const path = useRouterState({ select: ({ location }) => location.pathname }).slice(
    new URL(document.baseURI).pathname.length - 1,
  );
  const go = (to: string): void => location.assign(to);
  const isCompared = comparedWith !== undefined;
  return (
    <section aria-label="Moment" className={styles["banner"]}>
      <p role="status" className={styles["text"]}>
        <strong>
          As of {exactTime(new Date(moment))}
          {isCompared ? `, compared with ${exactTime(new Date(comparedWith))}` : ""}. Read-only.
        </strong>{" "}
        <span className={styles["reach"]}>{reachOf(path, isCompared)}</span>
      </p>
      <div className={styles["actions"]}>
        <Button
          variant="default"
          size="compact-sm"
          aria-haspopup="dialog"
          onClick={() => openCommand("moment")}
        >
          Change
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => go(addressAt(moment, isCompared ? undefined : latestMoment()))}
        >
          {isCompared ? "Stop comparing" : "Compare with now"}
        </Button>
        <Button variant="filled" size="compact-sm" onClick={() => go(addressAt(undefined))}>
          Back to now
        </Button>
      </div>
      <div className={styles["frame"]} aria-hidden="true" />
    </section>
  );
}
