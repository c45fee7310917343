import { createFileRoute } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";
import { screenSearch } from "~/parts/scope";
import { paramToUid } from "~/parts/uid-param";

import { TagDetail } from "./-tag-detail";
import { readTagDetailSearch } from "./-tag-search";

export const Route = createFileRoute("/tags/$uid")({
  validateSearch: screenSearch(readTagDetailSearch),
  loader({ cause, context: { queryClient }, params }) {
    const uid = paramToUid(params.uid);
    if (cause === "stay" || !isUid(uid)) return;
    import("./-tag-queries")
      .then(({ tagQuery }) => queryClient.prefetchQuery(tagQuery(uid)))
      .catch(() => undefined);
  },
  component: TagDetail,
});
