import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, retainSearchParams } from "@tanstack/react-router";

import type { Session } from "~/auth/session";
import type { Config } from "~/config";
import { readScopeSearch } from "~/features/scope/scope";

import { NotFoundPage, ShellError } from "~/shell/error-page";
import { Shell } from "~/shell/shell";

export const Route = createRootRouteWithContext<{
  queryClient: QueryClient;
  session: Session;
  config: Config;
}>()({
  validateSearch: readScopeSearch,
  // The scope is kept by every link; one that leaves it says `group: undefined`.
  search: { middlewares: [retainSearchParams(["group"])] },
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: ShellError,
});
