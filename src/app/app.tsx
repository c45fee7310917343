import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, isNotFound, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { currentUserQuery } from "~/access/read-current-user";
import { connect } from "~/api/client/client";
import { ApiError } from "~/api/client/errors";
import { createQueryClient } from "~/api/queries/query-client";
import { ownerOf, type Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import type { Config } from "~/config";
import { colorSchemeManager } from "~/ui/layout/color-scheme";
import { keepDrafts, noteDrafts, takeDrafts } from "~/ui/form/drafts";
import { setPreferenceOwner } from "~/ui/preferences";
import { isChunkError, setChunkErrorHooks } from "~/ui/feedback/chunk-error";
import { ErrorPage, NotFoundPage } from "~/shell/error-page";
import { routeTree } from "~/routeTree.gen";
import { parseSearch, stringifySearch } from "./search";
import { theme } from "~/ui/theme";

interface Start {
  readonly config: Config;
  readonly session: Session;
}

function createAppRouter({ config, session }: Start) {
  const queryClient = createQueryClient();
  return createRouter({
    routeTree,
    basepath: new URL(config.baseUrl).pathname,
    context: { queryClient, session, config },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    // The query client decides what is fresh, so the router never caches.
    defaultPreloadStaleTime: 0,
    // Only the query client keeps data of screens that were left.
    defaultGcTime: 0,
    defaultPreloadGcTime: 0,
    defaultStructuralSharing: true,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** Renders the console into `element`, which may hold a notice until then. */
export function mount(element: Element, start: Start): void {
  const { config, session } = start;
  connect({
    baseUrl: config.apiBaseUrl,
    token: session.token,
    onUnauthenticated: session.end,
    fieldMaskCase: config.fieldMaskCase,
  });
  const owner = ownerOf(session.person);
  takeDrafts(owner);
  setPreferenceOwner(owner);
  setChunkErrorHooks({ noted: noteDrafts, leaving: () => void keepDrafts(owner, { withNoted: true }) });
  const router = createAppRouter(start);
  const { queryClient } = router.options.context;
  // In parallel with the requests of the first screen.
  void queryClient.prefetchQuery(currentUserQuery(session.person));

  element.replaceChildren();
  createRoot(element, {
    // Errors with a view inside the shell are not defects, and the browser logs failed requests.
    onCaughtError: (error) => {
      if (!(error instanceof ApiError) && !isChunkError(error) && !isNotFound(error)) console.error(error);
    },
  }).render(
    <StrictMode>
      {/* No style elements (strict policy): the variables are those of theme.css. */}
      <MantineProvider
        theme={theme}
        withCssVariables={false}
        withGlobalClasses={false}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
      >
        <SessionContext value={session}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </SessionContext>
      </MantineProvider>
    </StrictMode>,
  );
}
