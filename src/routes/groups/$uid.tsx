import { createFileRoute, notFound } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";
import { groupQuery } from "~/parts/path";
import { screenSearch } from "~/parts/scope";
import { paramToUid } from "~/parts/uid-param";

import { GroupDetail } from "./-group-detail";
import { readGroupDetailSearch } from "./-group-search";

export const Route = createFileRoute("/groups/$uid")({
  validateSearch: screenSearch(readGroupDetailSearch),
  loader({ cause, context: { queryClient }, params }) {
    const uid = paramToUid(params.uid);
    if (!isUid(uid)) throw notFound();
    if (cause !== "stay") void queryClient.prefetchQuery(groupQuery(uid));
  },
  component: GroupDetail,
});
