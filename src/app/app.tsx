import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, isNotFound, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import { currentUserQuery } from "~/access/read-current-user";
import { connect } from "~/api/client/client";
import { hasAnswers } from "~/api/client/early-requests";
import { ApiError } from "~/api/client/errors";
import { createQueryClient } from "~/api/queries/query-client";
import { ownerOf, type Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import type { Config } from "~/config";
import { ThemeProvider } from "~/ui/layout/theme-provider";
import { keepDrafts, noteDrafts, takeDrafts } from "~/ui/form/drafts";
import { setPreferenceOwner } from "~/ui/preferences";
import { isChunkError, setChunkErrorHooks } from "~/ui/feedback/chunk-error";
import { ErrorPage, NotFoundPage } from "~/shell/error-page";
import { levelQuery } from "~/features/group-tree/levels";
import { TOP } from "~/features/group-tree/rows";
import { routeTree } from "~/routeTree.gen";
import { parseSearch, stringifySearch } from "./search";

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

const ignore = () => undefined;

/** Milliseconds that drawing waits at most for a screen whose code and first answers should be here already. */
const FIRST_SCREEN = 200;

const later = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Settles when the screen of the address is there, with what its requests brought where they were sent early. */
async function firstScreen({ load, options }: ReturnType<typeof createAppRouter>): Promise<void> {
  const early = hasAnswers();
  const end = performance.now() + FIRST_SCREEN;
  await load();
  if (!early) return;
  while (performance.now() < end && options.context.queryClient.isFetching() > 0) await later(0);
}

/** Renders the console into `element`, which may hold a notice until then. */
export async function mount(element: Element, start: Start): Promise<void> {
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
  // What the frame asks for, in parallel with the requests of the first screen.
  void queryClient.prefetchQuery(currentUserQuery(session.person));
  void queryClient.prefetchInfiniteQuery(levelQuery(TOP));
  // Until the router's own component follows the address, with the same function: a set of functions would hold it once for both.
  const unfollow = router.history.subscribe((change) => void router.load(change));
  // All at once then, rather than the frame first, its bars next and rows last.
  await Promise.race([firstScreen(router).catch(ignore), later(FIRST_SCREEN)]);

  element.replaceChildren();
  const root = createRoot(element, {
    // Errors with a view inside the shell are not defects, and the browser logs failed requests.
    onCaughtError: (error) => {
      if (!(error instanceof ApiError) && !isChunkError(error) && !isNotFound(error)) console.error(error);
    },
  });
  flushSync(() =>
    root.render(
      <StrictMode>
        <ThemeProvider>
          <SessionContext value={session}>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </SessionContext>
        </ThemeProvider>
      </StrictMode>,
    ),
  );
  unfollow();
}
