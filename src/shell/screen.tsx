import { CatchBoundary, Outlet, useMatches } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";

import { ErrorPage } from "~/shell/errors/error-page";

/**
 * The screen of the current URL, or its error. Separate from the shell, whose closures live as long as the page: a
 * retained match would retain all later ones, since its aborted signal's reason references the functions that ran at
 * the time, and they reference the next matches.
 */
export function Screen(): ReactNode {
  const matches = useMatches();
  return (
    <CatchBoundary getResetKey={() => matches} errorComponent={ErrorPage}>
      {/* Without it, the first screen would suspend everything around it. */}
      <Suspense>
        <Outlet />
      </Suspense>
    </CatchBoundary>
  );
}
