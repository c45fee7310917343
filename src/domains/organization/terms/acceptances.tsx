import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { isWithin, parentOf } from "platform-contract/aip";
import type { TermsDocument } from "platform-contract/iam/terms";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { GroupLink } from "~/frame/scope/group-link";
import { useScope } from "~/frame/scope/scope";
import { AcceptButton } from "./accept-button";
import { AcceptedBy } from "./accepted-by";
import { acceptancesIn, acceptancesQuery } from "./outstanding";

import classes from "./styles.module.css";

/** Shows who accepted a document, for its group, or for the scope if that is a folder below it. */
export function Acceptances({ of: document }: { readonly of: TermsDocument }): ReactNode {
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
