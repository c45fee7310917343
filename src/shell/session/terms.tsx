import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { total } from "~/api/queries/queries";
import { KINDS } from "platform-contract/kinds";
import { countedList } from "platform-contract/resource";
import { TermsBanner } from "~/domains/organization/terms/terms-banner";

import { useCollection, useCurrentGroup } from "~/shell/use-current";

const list = countedList(KINDS.terms);

/** Terms to accept in the current group: requested after all data of the screen; few users need the banner's code. */
export function Terms(): ReactNode {
  const client = useQueryClient();
  const { group = "" } = useCurrentGroup();
  const { allowed } = useCan(list, group);
  const [quiet, setQuiet] = useState(false);
  useEffect(() => {
    if (quiet) return undefined;
    const timer = setInterval(() => setQuiet(client.isFetching() === 0), 1_000);
    return () => clearInterval(timer);
  }, [client, quiet]);
  const { data } = useQuery({
    ...total(list, { "uidp.ancestors_of": group }),
    enabled: quiet && allowed && group !== "",
    staleTime: 300_000,
  });
  // The terms' own screens show it themselves.
  const elsewhere = useCollection() !== list.collection;
  // A form says it itself, where the service refuses it for that.
  const isForm = useSearch({
    strict: false,
    select: ({ drawer }: { drawer?: unknown }) => drawer !== undefined,
  });
  return elsewhere && !isForm && Number(data ?? 0) > 0 ? <TermsBanner group={group} /> : null;
}
