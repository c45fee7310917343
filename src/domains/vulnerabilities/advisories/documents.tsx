import { byDescending } from "platform-contract/order";
import { useInfiniteQuery } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { listDocuments, type Document } from "platform-contract/advisory/documents";
import { eventTypeOf, type DocumentEvent } from "platform-contract/vulnerabilities/events";
import { inOrder } from "./ids";
import { EVENT_WORDS, REASONS } from "./words";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { NoRows } from "~/frame/list/no-rows";
import { ShowMore } from "~/ui/table/show-more";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { NotFound, NothingYet } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";

import { documentsOf, documentsQuery, readDocuments, type DocumentSearch } from "./data";
import { Said } from "./history";
import classes from "./styles.module.css";

const toList = linkOptions({ to: "/advisories" });

/** Shows the advisories of an origin package with their approved events. */
export function PackageDocument(): ReactNode {
  const search = useCleanAddress(readDocuments);
  const scope = useScope();
  const { allowed } = useCan(listDocuments, scope.group);
  const query = useInfiniteQuery({ ...documentsQuery(scope, search), enabled: allowed });
  const { package: origin, cve } = search;
  const title = origin ?? (cve === undefined ? "Packages" : `Packages with ${cve}`);
  useTitle(title);
  // A document is not a record: its id is the name of its package.
  const { rows } = rowsOf<Document & { readonly uid?: string }>(query.data);
  return (
    <Page>
      <PageHeader
        icon={iconOf("advisories")}
        title={title}
        description="Approved advisory events, by origin package."
      />
      {query.isLoading ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.error && rows.length === 0 ? (
        <FailedPart title="The package couldn't be loaded" error={query.error} onRetry={query.refetch} />
      ) : null}
      {!allowed || (query.data && rows.length === 0) ? (
        <NoRows
          list={listDocuments}
          what="advisories"
          group={scope.group}
          filters={[]}
          onClear={() => undefined}
        >
          <NoDocument of={search} />
        </NoRows>
      ) : null}
      {rows.map((document) => (
        <Section
          key={document.id}
          title={`Advisories of ${document.id}`}
          count={document.advisories?.length ?? 0}
          actions={
            origin === undefined ? (
              <AppLink target={documentsOf({ package: document.id })}>All advisories of this package</AppLink>
            ) : null
          }
        >
          <div className={classes["documents"]}>
            {document.advisories?.map((advisory, index) => (
              <DocumentNotes key={`${advisory.id} ${index}`} of={advisory} />
            ))}
          </div>
        </Section>
      ))}
      <ShowMore query={query} />
    </Page>
  );
}

function NoDocument({ of: { package: origin, cve } }: { readonly of: DocumentSearch }): ReactNode {
  const action = <AppLink target={toList}>All advisories</AppLink>;
  if (origin !== undefined) return <NotFound kind="package" sought={origin} action={action} />;
  return (
    <NothingYet title={cve === undefined ? "No packages yet" : `No package with ${cve}`} action={action}>
      A package appears here once one of its advisory events is approved.
    </NothingYet>
  );
}

type ToldAdvisory = NonNullable<Document["advisories"]>[number];

function DocumentNotes({
  of: { id, aliases, packageNamespace, events = [] },
}: {
  readonly of: ToldAdvisory;
}): ReactNode {
  // Of one time, the last in the list is the newest.
  const sorted = events.toReversed().toSorted(byDescending(({ timestamp = "" }) => timestamp));
  const [newest] = sorted;
  // People search for the CVE; the advisory's own id tells its records apart.
  const [known = id, ...others] = [...inOrder(aliases), id];
  return (
    <details className={classes["document"]}>
      <summary>
        <code>{known}</code> <code>{others.join(", ")}</code>{" "}
        <span className={classes["quiet"]}>{newest ? titleOf(newest) : "Nothing approved yet"}</span>
      </summary>
      {packageNamespace ? (
        <p className={classes["quiet"]}>
          Namespace <bdi>{packageNamespace}</bdi>
        </p>
      ) : null}
      <ol className={classes["history"]}>
        {sorted.map((event, index) => (
          <Step key={index} event={event} current={index === 0} />
        ))}
      </ol>
    </details>
  );
}

const titleOf = (event: DocumentEvent): string => {
  const type = eventTypeOf(event);
  const version = event.fixed?.fixedVersion;
  const word = type === undefined ? "Unknown event" : EVENT_WORDS[type];
  return version ? `${word} in ${version}` : word;
};

interface StepProps {
  readonly event: DocumentEvent;
  readonly current: boolean;
}

function Step({ event, current }: StepProps): ReactNode {
  const type = eventTypeOf(event);
  const { note }: { note?: string } = Object(type && event[type]);
  const reason = REASONS[event.falsePositiveDetermination?.type ?? ""];
  return (
    <li className={classes["step"]} data-current={current || undefined}>
      <p className={classes["stepTitle"]}>
        <strong>{titleOf(event)}</strong>
      </p>
      {reason ? (
        <p>
          {reason.words} <code className={classes["quiet"]}>{reason.vex}</code>
        </p>
      ) : null}
      {note ? (
        <p className={classes["text"]}>
          <bdi>{note}</bdi>
        </p>
      ) : null}
      <p className={classes["quiet"]}>
        <Time value={event.timestamp} />
      </p>
      <Said event={event} />
    </li>
  );
}
