import { createFileRoute } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";
import { screenSearch } from "~/features/scope/scope";
import { paramToUid } from "~/features/scope/uid-param";

import { TagDetail } from "~/screens/tags/detail";
import { readTagDetailSearch } from "~/screens/tags/search";

export const Route = createFileRoute("/tags/$uid")({
  validateSearch: screenSearch(readTagDetailSearch),
  loader({ cause, context: { queryClient }, params }) {
    const uid = paramToUid(params.uid);
    if (cause === "stay" || !isUid(uid)) return;
    import("~/screens/tags/queries")
      .then(({ tagQuery }) => queryClient.prefetchQuery(tagQuery(uid)))
      .catch(() => undefined);
  },
  component: TagDetail,
});
