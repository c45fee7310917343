import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import { listOffers } from "platform-contract/iam/offers";
import { FailedPart } from "~/ui/feedback/failed-part";

import { OFFERS } from "./keys";
import { OfferList } from "./lazy-parts";

/** Organizations in which others gave the person a role, to accept or decline; nothing if there are none. */
export function Offers(): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { data, error, refetch } = useQuery({
    queryKey: OFFERS,
    queryFn: ({ signal }) => call(listOffers, { signal }),
    enabled: config?.accessRequests === true,
  });
  if (error && !data)
    return <FailedPart title="Offers of access couldn't be loaded" error={error} onRetry={refetch} />;
  return data && data.offers && data.offers.length > 0 ? <OfferList offers={data.offers} /> : null;
}
