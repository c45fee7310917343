import { hashKey, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { createRouter, isNotFound, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import { ApiError } from "platform-client/errors";

import { currentUserQuery } from "~/frame/permissions/read-current-user";
import { connect } from "~/api/client/client";
import { enterPast } from "~/api/client/moment";
import { hasEarly } from "~/api/client/early-requests";
import { createQueryClient } from "~/api/queries/query-client";
import { ownerOf, type Session } from "~/auth/session";
import { SessionContext } from "~/auth/use-session";
import type { Config } from "~/config";
import { setMachines } from "~/frame/scope/people";
import { readScopeSearch } from "~/frame/scope/scope";
import { settleColorScheme } from "~/ui/layout/early-color-scheme";
import { measureFrame } from "~/ui/table/last-size";
import { isNavigationBeside } from "~/shell/navigation/use-navigation";
import { measureGutter } from "~/ui/layout/scroll-gutter";
import { ThemeProvider } from "~/ui/layout/theme-provider";
import { keepDrafts, noteDrafts, takeDrafts } from "~/ui/form/drafts";
import { setPreferenceOwner } from "~/ui/preferences";
import { isChunkError, setChunkErrorHooks } from "~/ui/feedback/chunk-error";
import { ErrorPage, NotFoundPage } from "~/shell/errors/error-page";
import { PendingScreen } from "~/shell/pending-screen";
import { openStartPage } from "~/shell/session/start-page";
import { levelQuery } from "~/frame/group-tree/levels";
import { TOP } from "~/frame/group-tree/rows";
import { routeTree } from "~/routeTree.gen";
import "./frame-parts";
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
    // Only the query client keeps the data of previous screens.
    defaultGcTime: 0,
    defaultPreloadGcTime: 0,
    defaultStructuralSharing: true,
    // Leaves the last screen if the next one's code is slow; a first screen has the page's own frame until then.
    defaultPendingComponent: PendingScreen,
    defaultPendingMs: 1000,
    defaultPendingMinMs: 0,
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

/** Maximum milliseconds to delay the first render for the code of the current screen, and then for its data. */
const FIRST_CODE_TIMEOUT_MS = 200;
const FIRST_DATA_TIMEOUT_MS = 200;
/** The same for data that was not requested early: enough for a service nearby. */
const LATE_DATA_TIMEOUT_MS = 60;

const later = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Resolves when the current screen has loaded, with the data of its first requests. */
async function firstScreen(router: ReturnType<typeof createAppRouter>, who: QueryKey): Promise<void> {
  const early = hasEarly();
  const { queryClient } = router.options.context;
  await Promise.race([router.load().catch(ignore), later(FIRST_CODE_TIMEOUT_MS)]);
  const until = performance.now() + (early ? FIRST_DATA_TIMEOUT_MS : LATE_DATA_TIMEOUT_MS);
  // Who the user is takes three requests in a row, and no row shows it.
  const isShown = ({ queryKey }: { readonly queryKey: QueryKey }) => hashKey(queryKey) !== hashKey(who);
  while (performance.now() < until && queryClient.isFetching({ predicate: isShown }) > 0) await later(0);
}

/** Renders the console into `element`, replacing any notice in it. */
export async function mount(element: Element, start: Start): Promise<void> {
  const { config, session } = start;
  const { asOf, compareWith } = readScopeSearch(Object.fromEntries(new URLSearchParams(location.search)));
  if (config.readTime && asOf) enterPast((await import("~/shell/moment/past")).pastAt(asOf, compareWith));
  connect({
    baseUrl: config.apiBaseUrl,
    token: session.token,
    onUnauthenticated: session.end,
    fieldMaskCase: config.fieldMaskCase,
    idempotencyKeys: config.idempotencyKeys,
    changeJustifications: config.changeJustifications,
    validateOnly: config.validateOnly,
  });
  setMachines(config.machineIdentities, { issuer: config.oidc.authority, ids: config.machineClients });
  const owner = ownerOf(session.person);
  takeDrafts(owner);
  setPreferenceOwner(owner);
  setChunkErrorHooks({ noted: noteDrafts, leaving: () => void keepDrafts(owner, { withNoted: true }) });
  openStartPage(new URL(config.baseUrl).pathname);
  const router = createAppRouter(start);
  const { queryClient } = router.options.context;
  // The shell's requests, in parallel with those of the first screen.
  const who = currentUserQuery(session.person);
  void queryClient.prefetchQuery(who);
  void queryClient.prefetchInfiniteQuery(levelQuery(TOP));
  // Follows URL changes until the router's own component does. Wrapped, because the subscribers are a set: it would
  // hold `router.load` once for both, and unsubscribing here would remove both.
  const unfollow = router.history.subscribe((change) => void router.load(change));
  // Renders everything in one step then, instead of first the shell, next its toolbars and last the rows.
  await firstScreen(router, who.queryKey);

  const splash = element.querySelector(".pc-splash");
  if (splash && isNavigationBeside()) measureFrame(splash);
  measureGutter();
  settleColorScheme();
  element.replaceChildren();
  const root = createRoot(element, {
    // Errors shown inside the shell are not bugs, and the browser already logs failed requests.
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
