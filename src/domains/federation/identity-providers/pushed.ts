import { queryOptions } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import { getPushed } from "platform-contract/iam/scim";

/** The query for what a provider's directory has pushed; disabled if the service cannot tell. */
export function usePushed(provider: string, search = "") {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const query = search === "" ? {} : { search };
  return queryOptions({
    queryKey: ["identityProviders", "getPushed", provider, query] as const,
    queryFn: ({ signal }) => call(getPushed, { path: { uid: provider }, query, signal }),
    enabled: config?.pushedGroups === true,
  });
}
