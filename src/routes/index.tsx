import { createFileRoute } from "@tanstack/react-router";

import { groupQuery } from "~/frame/scope/group-ancestry";
import { scopeOf } from "~/frame/scope/scope";

import { Overview } from "~/shell/home/overview";

export const Route = createFileRoute("/")({
  loaderDeps: ({ search }) => scopeOf(search),
  // In parallel with loading the screen's code; the screen shows failures.
  loader: ({ context, deps: { group } }) => {
    if (group !== undefined) void context.queryClient.prefetchQuery(groupQuery(group));
  },
  component: Overview,
});
