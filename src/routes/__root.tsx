import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams } from "@tanstack/react-router";

import type { Session } from "~/auth/session";
import type { Config } from "~/config";
import { readScopeSearch } from "~/features/scope/scope";

import { NotFoundPage, ShellError } from "~/shell/error-page";
import { painted } from "~/shell/painted";
import { Shell } from "~/shell/shell";

export const Route = createRootRouteWithContext<{
  queryClient: QueryClient;
  session: Session;
  config: Config;
}>()({
  validateSearch: readScopeSearch,
  // The scope is kept by every link; one that leaves it says `group: undefined`.
  search: { middlewares: [retainSearchParams(["group"])] },
  // Whoever pressed something sees that first: a screen whose data is there is drawn in one piece.
  loader: {
    handler: ({ cause }) => (cause === "stay" ? painted() : undefined),
    staleReloadMode: "blocking",
  },
  shouldReload: true,
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: ShellError,
});
