import { useRouter } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

import { announce } from "~/ui/feedback/announcer";
import { screenTitle, useScreenTitle } from "~/frame/scope/title";

/**
 * Does what the browser does on a page load when another screen appears: focuses its heading, announces its title, and
 * sets the tab's title. A change of search parameters stays on the same screen, and does nothing.
 */
export function useArrival(
  main: RefObject<HTMLElement | null>,
  suffix: readonly (string | undefined)[],
): void {
  const router = useRouter();
  const screen = useScreenTitle();
  const arriving = useRef(false);

  useLayoutEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        const element = main.current;
        if (!pathChanged || !fromLocation || !element) return;
        // If the title depends on data that is still loading, announce it later.
        const named = screenTitle();
        if (named !== "") announce(named);
        arriving.current = named === "";
        // A form that opened with the screen already has the focus.
        if (document.activeElement?.closest("dialog, [role=dialog]")) return;
        focusHeading(element);
      }),
    [router, main],
  );

  // The overview of an organization has the same title as the organization.
  const title = [...new Set([screen, ...suffix])].filter(Boolean).join(" - ");
  useEffect(() => {
    document.title = title;
    if (!arriving.current || screen === "") return;
    arriving.current = false;
    announce(screen);
    // The placeholder heading of a loading record is gone, and the focus with it.
    const { activeElement, body } = document;
    if (main.current && (activeElement === body || activeElement === main.current))
      focusHeading(main.current);
  });
}

const focusHeading = (main: HTMLElement): void => (main.querySelector<HTMLElement>("h1") ?? main).focus();
