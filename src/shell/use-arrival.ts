import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, type RefObject } from "react";

import { announce } from "~/ui/feedback/announcer";
import { screenTitle, useScreenTitle } from "~/features/scope/title";

/**
 * What a page load does by itself when another screen appears: the focus goes to its heading, its title is read out
 * and stands in the browser's tab. A change of search parameters is the same screen, and moves nothing.
 */
export function useArrival(
  main: RefObject<HTMLElement | null>,
  suffix: readonly (string | undefined)[],
): void {
  const router = useRouter();
  const screen = useScreenTitle();
  const arriving = useRef(false);

  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        const element = main.current;
        if (!pathChanged || !fromLocation || !element) return;
        // A title that depends on what is still loading is read out when it is there.
        const named = screenTitle();
        if (named !== "") announce(named);
        arriving.current = named === "";
        // A form that opened with the screen has the focus already.
        if (document.activeElement?.closest("dialog, [role=dialog]")) return;
        focusHeading(element);
      }),
    [router, main],
  );

  // The overview of an organization is called like the organization.
  const title = [...new Set([screen, ...suffix])].filter(Boolean).join(" - ");
  useEffect(() => {
    document.title = title;
    if (!arriving.current || screen === "") return;
    arriving.current = false;
    announce(screen);
    // The heading that stood for a record while it was read has gone, and the focus with it.
    const { activeElement, body } = document;
    if (main.current && (activeElement === body || activeElement === main.current))
      focusHeading(main.current);
  });
}

const focusHeading = (main: HTMLElement): void => (main.querySelector<HTMLElement>("h1") ?? main).focus();
