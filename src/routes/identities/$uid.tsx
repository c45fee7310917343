import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/features/scope/scope";

import { isUid } from "~/contract/aip";
import { paramToUid } from "~/features/scope/uid-param";

import { IdentityDetail } from "~/screens/identities/detail";
import { bindingsQuery, identityQuery } from "~/screens/identities/queries";
import { readIdentityDetailSearch } from "~/screens/identities/search";

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
