import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";

interface Opened {
  /** The open drawer, from the address. */
  readonly drawer: string | undefined;
  /** uid of its record. */
  readonly item?: string | undefined;
}

/**
 * Whether to show the drawer that the address opens. `close` hides it in the next frame; the address follows later, with a
 * navigation that renders the page.
 */
export function useOpened({ drawer, item = "" }: Opened, leave: () => void) {
  const { history } = useRouter();
  const opened = drawer === undefined ? undefined : `${drawer} ${item}`;
  const [closed, setClosed] = useState<string>();
  if (opened === undefined && closed !== undefined) setClosed(undefined);
  // Opened again before the address has followed: the page may never be rendered without it.
  useLayoutEffect(
    () => history.subscribe(({ action }) => action.type === "PUSH" && setClosed(undefined)),
    [history],
  );
  return {
    shown: opened !== undefined && opened !== closed,
    close: () => {
      setClosed(opened);
      leave();
    },
  };
}
