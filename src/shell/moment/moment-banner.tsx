import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useSyncExternalStore, type ReactNode } from "react";

import { groups } from "platform-contract/iam/groups";
import { kinds, listPath } from "platform-contract/kinds";

import { NOW, thePast } from "~/api/client/moment";
import { infinite, rowsOf } from "~/api/queries/queries";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
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

/** Names of more are as long as the page. */
const NAMED = 3;
const NO_STORE = { get: (): readonly string[] => [], subscribe: () => () => undefined };

/** What of the user's organizations is left out, since nobody knows what was there. */
function UnknownOrganizations(): ReactNode {
  const { unknownOrganizations: { get, subscribe } = NO_STORE } = thePast() ?? {};
  const uids = useSyncExternalStore(subscribe, get);
  const { data } = useInfiniteQuery({
    ...infinite(groups.list, { ...NOW, "uidp.ids": [...uids], page_size: NAMED }),
    enabled: uids.length > 0 && uids.length <= NAMED,
  });
  if (uids.length === 0) return null;
  const names = rowsOf(data).rows.map(({ name }) => name);
  const which =
    names.length === uids.length
      ? new Intl.ListFormat("en").format(names)
      : formatQuantity(uids.length, "of your organizations", "of your organizations");
  return <>What was in {which} then is unknown: the audit log doesn't tell.</>;
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
        <span className={styles["reach"]}>
          {reachOf(path, isCompared)} <UnknownOrganizations />
        </span>
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
