import { createFileRoute } from "@tanstack/react-router";

import { groupQuery } from "~/features/scope/group-ancestry";
import { scopeOf } from "~/features/scope/scope";

import { Overview } from "~/screens/home/overview";

export const Route = createFileRoute("/")({
  loaderDeps: ({ search }) => scopeOf(search),
  // Side by side with the code of the screen; what fails is shown by the screen.
  loader: ({ context, deps: { group } }) => {
    if (group !== undefined) void context.queryClient.prefetchQuery(groupQuery(group));
  },
  component: Overview,
});
