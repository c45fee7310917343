import { CatchBoundary, Outlet, useMatches } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";

import { ErrorPage } from "./error-page";

/**
 * The screen of the address, or what kept it from being shown. Apart from the shell, whose closures last as long as the page:
 * one match that is held holds all that came after it, since the reason of its aborted signal keeps the functions that ran
 * then, and they the next matches.
 */
export function Screen(): ReactNode {
  const matches = useMatches();
  return (
    <CatchBoundary getResetKey={() => matches as never} errorComponent={ErrorPage}>
      {/* Else the very first screen would keep everything around it waiting. */}
      <Suspense>
        <Outlet />
      </Suspense>
    </CatchBoundary>
  );
}
