import { createFileRoute } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";
import { screenSearch } from "~/parts/scope";
import { paramToUid } from "~/parts/uid-param";

import { RepoDetail } from "./-repo-detail";
import { readRepoDetailSearch } from "./-repo-search";

export const Route = createFileRoute("/repos/$uid")({
  validateSearch: screenSearch(readRepoDetailSearch),
  loader({ cause, context: { queryClient }, params }) {
    const uid = paramToUid(params.uid);
    if (cause !== "stay" && isUid(uid))
      import("./-repo-queries")
        .then(({ startDetail }) => startDetail(queryClient, uid))
        .catch(() => undefined);
  },
  component: RepoDetail,
});
