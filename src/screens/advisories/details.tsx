import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { listDocuments } from "~/contract/advisory/documents";
import { parentOf } from "~/contract/aip";
import type { Advisory } from "~/contract/vulnerabilities/advisories";
import { inOrder } from "~/features/advisories/ids";
import { Images } from "~/features/advisories/images";
import { metadataQuery } from "~/features/advisories/metadata";
import { MetadataView } from "~/features/advisories/metadata-view";
import { SeverityFacts } from "~/features/advisories/severity-facts";
import { AppLink } from "~/ui/layout/link";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";

import { documentsOf } from "./data";
import classes from "./styles.module.css";

/** Data about an advisory from outside its record. */
export function Details({ advisory }: { readonly advisory: Advisory }): ReactNode {
  const { severities = [], aliases = [], advisoryId = "", createTime } = advisory;
  const ids = inOrder(aliases);
  return (
    <>
      {severities.length > 0 ? <SeverityFacts of={severities} /> : null}
      {ids.length > 0 ? <Known ids={ids} /> : null}
      <Packages advisory={advisory} ids={ids} />
      <Images advisoryIds={[advisoryId]} since={createTime} group={parentOf(advisory.uid)} />
    </>
  );
}

/** Public metadata of the vulnerability. */
function Known({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(metadataQuery(ids));
  return (
    <Section title="Vulnerability">
      {isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {error && !data ? (
        <FailedPart
          title="The vulnerability's description couldn't be loaded"
          error={error}
          onRetry={refetch}
        />
      ) : null}
      {data?.length === 0 ? (
        <p className={classes["quiet"]}>No details are recorded for {ids.join(", ")}.</p>
      ) : null}
      {data?.map((metadata) => (
        <MetadataView key={metadata.id} of={metadata} />
      ))}
    </Section>
  );
}

interface PackagesProps {
  readonly advisory: Advisory;
  readonly ids: readonly string[];
}

/** Links to the documents of the origin packages, found by alias: an advisory doesn't name its own package. */
function Packages({ advisory: { artifactName = "" }, ids }: PackagesProps): ReactNode {
  const query = useInfiniteQuery({
    ...infinite(listDocuments, { cves: [...ids], page_size: 20 }),
    enabled: ids.length > 0,
  });
  const { rows } = rowsOf<{ id: string; uid?: string }>(query.data);
  const names = ids.length > 0 ? rows.map(({ id }) => id) : [artifactName];
  return (
    <Section title="Package">
      {query.isLoading ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.error && !query.data ? (
        <FailedPart title="The package couldn't be loaded" error={query.error} onRetry={query.refetch} />
      ) : null}
      <ul className={classes["aliases"]}>
        {names.map((name) => (
          <li key={name}>
            <AppLink target={documentsOf({ package: name })}>
              All advisories of <bdi>{name}</bdi>
            </AppLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
