import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { infinite, rowsOf } from "~/api/queries/queries";
import { usePerson } from "~/auth/use-session";
import { identities } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";

/** The identity of a subject: people of this console come from the same issuer as the user. */
const lookupQuery = (issuer: string, subject: string) =>
  queryOptions({
    queryKey: [identities.collection, "lookup", { issuer, subject }] as const,
    meta: {
      requests: () => [{ endpoint: lookupIdentity, query: { issuer, subject } }],
    } satisfies QueryFacts,
    queryFn: ({ signal }) => call(lookupIdentity, { query: { issuer, subject }, signal }),
    staleTime: Infinity,
  });

/** Who accepted, by name; by the subject of their tokens only if no name is visible. */
export function AcceptedBy({ subject = "" }: { readonly subject: string | undefined }): ReactNode {
  const me = usePerson();
  const mine = subject === me.subject;
  const found = useQuery({ ...lookupQuery(me.issuer, subject), enabled: !mine && subject !== "" });
  const uid = found.data?.uid;
  const people = useInfiniteQuery({
    ...infinite(identities.list, { "uidp.ids": [uid ?? ""], page_size: 1 }),
    enabled: uid !== undefined,
  });
  const person = rowsOf(people.data).rows.at(0);
  const name = mine ? (me.name ?? me.email) : person?.name || person?.email;
  if (name === undefined || name === "")
    return found.isLoading || people.isLoading ? "…" : <code>{subject}</code>;
  const email = mine ? me.email : person?.email;
  return (
    <bdi>
      {name}
      {email !== undefined && email !== "" && email !== name ? ` (${email})` : ""}
    </bdi>
  );
}
