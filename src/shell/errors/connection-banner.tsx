import { Button } from "@mantine/core";
import { notifyManager, useQueryClient, type QueryCache } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore, type ReactNode } from "react";

import { tryNow, useConnection } from "~/api/client/connection";
import "~/ui/controls/button-styles";
import { useSecondsLeft, waitText } from "~/ui/feedback/countdown";

import { Banner } from "~/shell/banner";

import styles from "./connection-banner.module.css";

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Says how old the data on screen is, and whether all of it is there; nothing if there is none. */
function dataText(cache: QueryCache): string {
  const shown = cache
    .findAll({ type: "active" })
    .filter(({ state }) => state.fetchStatus !== "idle" || state.data !== undefined || state.error);
  const times = shown.flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]));
  if (times.length === 0) return "";
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => clock.format(time));
  const read = first === last ? `from ${first}` : `from ${first} to ${last}`;
  return times.length < shown.length
    ? ` Parts of this page couldn't be loaded; the rest is ${read}.`
    : ` Showing data ${read}.`;
}

/** The same while the service is down. */
function useDataText(down: boolean): string {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (listener: () => void) => (down ? cache.subscribe(notifyManager.batchCalls(listener)) : () => undefined),
    [cache, down],
  );
  return useSyncExternalStore(subscribe, () => (down ? dataText(cache) : ""));
}

/**
 * Shows that the service is unreachable, what that means for the data on screen, and when the next retry is. Part of
 * the initial load: once needed, it could not be fetched.
 */
export function ConnectionBanner(): ReactNode {
  const connection = useConnection();
  const down = connection.state === "down" ? connection : undefined;
  const wait = useSecondsLeft(down?.nextTry);
  const data = useDataText(down !== undefined);
  return (
    // Always rendered: screen readers only announce live regions that existed before their text.
    <Banner
      role="status"
      tone={down && "warning"}
      actions={
        down && (
          <>
            <span className={styles["wait"]}>{wait > 0 ? `Retrying in ${waitText(wait)}` : "Trying…"}</span>
            <Button variant="default" size="compact-sm" onClick={tryNow}>
              Try now
            </Button>
          </>
        )
      }
    >
      {down && (
        <>
          <strong>{down.message}</strong>
          {data} Changes are paused.
        </>
      )}
    </Banner>
  );
}
