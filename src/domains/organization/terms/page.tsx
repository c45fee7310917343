import type { ReactNode } from "react";
import { useInfiniteQuery, queryOptions, useQuery } from "@tanstack/react-query";

import { parentOf, isWithin } from "platform-contract/aip";
import { updatedFact } from "~/frame/record/history";
import { DefinitionList } from "~/ui/display/definition-list";
import { ExternalLink } from "~/ui/display/external-link";
import { Time } from "~/ui/display/time";
import { GroupLink } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";
import type { TermsDocument } from "platform-contract/iam/terms";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { useScope } from "~/frame/scope/scope";
import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { infinite, rowsOf } from "~/api/queries/queries";
import { usePerson } from "~/auth/use-session";
import { identities } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";

import { termsScreens } from "./data";
import { AcceptButton } from "./accept-button";
import { acceptancesIn, acceptancesQuery } from "./outstanding";
import classes from "./styles.module.css";

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
function AcceptedBy({ subject = "" }: { readonly subject: string | undefined }): ReactNode {
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

/** Shows who accepted a document, for its group, or for the scope if that is a folder below it. */
function Acceptances({ of: document }: { readonly of: TermsDocument }): ReactNode {
  const home = parentOf(document.uid);
  const { group = home } = useScope();
  const at = isWithin(group, home) ? group : home;
  const { data, error, refetch } = useInfiniteQuery(acceptancesQuery(at));
  const rows = acceptancesIn(data).filter(({ docId }) => docId === document.name);
  const { name: id, uid, label, url } = document;
  const accept = <AcceptButton group={at} documents={[{ id, uid, label: label || id, url }]} />;
  return (
    <Section title="Acceptances" count={data && rows.length}>
      {error && !data ? (
        <FailedPart title="The acceptances couldn't be loaded" error={error} onRetry={refetch} />
      ) : !data ? (
        <p className={classes["quiet"]}>Loading…</p>
      ) : rows.length === 0 ? (
        <Notice tone="warning" title="Not accepted yet" actions={accept}>
          Until it's accepted, no one can create repos, tags or invites in <GroupLink uid={at} /> or its
          subfolders.
        </Notice>
      ) : (
        <FactTable
          caption="Acceptances"
          head={["Accepted by", "For", "Accepted"]}
          rows={rows.map(({ acceptedBy, orgUid = "", createTime }) => [
            <AcceptedBy key="by" subject={acceptedBy} />,
            <GroupLink key="for" uid={orgUid} />,
            <Time key="time" value={createTime} />,
          ])}
        />
      )}
    </Section>
  );
}

/** Shows one document: a link to its text, and who accepted it. */
export function TermsPage(): ReactNode {
  return (
    <RecordScreen of={termsScreens}>
      {(record) => (
        <>
          <DefinitionList
            items={[
              { term: "Title", value: <bdi>{record.label}</bdi>, wide: true },
              {
                term: "Link",
                value: <ExternalLink address={record.url} />,
                wide: true,
              },
              { term: "Folder", value: <GroupLink uid={parentOf(record.uid)} /> },
              { term: "Created", value: <Time value={record.createTime} /> },
              updatedFact("terms", record),
            ]}
          />
          <Acceptances of={record} />
        </>
      )}
    </RecordScreen>
  );
}
