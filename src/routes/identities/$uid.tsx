import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/parts/scope";

import { isUid } from "~/contract/aip";
import { paramToUid } from "~/parts/uid-param";

import { IdentityDetail } from "./-identity-detail";
import { bindingsQuery, identityQuery } from "./-identity-queries";
import { readIdentityDetailSearch } from "./-identity-search";

export const Route = createFileRoute("/identities/$uid")({
  validateSearch: screenSearch(readIdentityDetailSearch),
  loader({ cause, context: { queryClient }, params }) {
    const uid = paramToUid(params.uid);
    if (cause === "stay" || !isUid(uid)) return;
    void queryClient.prefetchQuery(identityQuery(uid));
    void queryClient.prefetchInfiniteQuery(bindingsQuery(uid));
  },
  component: IdentityDetail,
});
