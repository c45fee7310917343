import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams } from "@tanstack/react-router";

import type { Session } from "~/auth/session";
import type { Config } from "~/config";
import { readScopeSearch } from "~/frame/scope/scope";

import { NotFoundPage, ShellError } from "~/shell/errors/error-page";
import { painted } from "~/shell/painted";
import { Shell } from "~/shell/shell";

export const Route = createRootRouteWithContext<{
  queryClient: QueryClient;
  session: Session;
  config: Config;
}>()({
  validateSearch: readScopeSearch,
  // Every link keeps the scope; a link that leaves it sets `group: undefined`. So do the moments of the past on display.
  search: { middlewares: [retainSearchParams(["group", "asOf", "compareWith"])] },
  // Let the pressed state paint first: a screen whose data is cached renders in one long task.
  loader: {
    handler: ({ cause }) => (cause === "stay" ? painted() : undefined),
    staleReloadMode: "blocking",
  },
  shouldReload: true,
  // Only the screen inside it is replaced while it loads.
  pendingMs: Number.POSITIVE_INFINITY,
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: ShellError,
});
