import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { listDocuments } from "platform-contract/advisory/documents";
import { parentOf } from "platform-contract/aip";
import {
  advisories as advisoriesResource,
  type Advisory,
} from "platform-contract/vulnerabilities/advisories";
import { inOrder } from "./ids";
import { Images } from "./images";
import { advisoryPage } from "./links";
import { metadataQuery } from "./metadata";
import { MetadataView } from "./metadata-view";
import { exceptionsIn } from "./places";
import { SeverityFacts } from "./severity-facts";
import { newestText } from "./verdict";
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
      <Places advisory={advisory} />
      {severities.length > 0 ? <SeverityFacts of={severities} /> : null}
      {ids.length > 0 ? <Known ids={ids} /> : null}
      <Packages advisory={advisory} ids={ids} />
      <Images advisoryIds={[advisoryId]} since={createTime} group={parentOf(advisory.uid)} />
    </>
  );
}

/** Where other advisories about the same thing hold: the more particular one answers for what it names. */
function Places({ advisory }: { readonly advisory: Advisory }): ReactNode {
  const { artifactName = "", aliases = [], uid } = advisory;
  const names = aliases.filter((id) => id.startsWith("CVE-"));
  const query = {
    artifactNames: [artifactName],
    aliases: names.length > 0 ? names : [...aliases],
    page_size: 200,
  };
  const { data } = useInfiniteQuery({
    ...infinite(advisoriesResource.list, query),
    enabled: artifactName !== "" && aliases.length > 0,
  });
  const { rows } = rowsOf<Advisory>(data);
  const exceptions = exceptionsIn(rows);
  const own = exceptions.get(uid) ?? [];
  const general = rows.filter((one) => exceptions.get(one.uid)?.includes(advisory.appliesTo ?? ""));
  const particular = rows.filter((one) => own.includes(one.appliesTo ?? "") && one.uid !== uid);
  if (general.length + particular.length === 0) return null;
  return (
    <Section title="Where it applies">
      <p>
        {particular.length > 0
          ? "The advisories below are more specific. This one applies to everything that they don't name."
          : `This advisory applies to ${advisory.appliesTo}. A more general one applies to the rest.`}
      </p>
      <ul className={classes["aliases"]}>
        {[...particular, ...general].map((one) => (
          <li key={one.uid}>
            <AppLink target={advisoryPage(one.uid)}>
              <bdi>{one.appliesTo || "Everywhere else"}</bdi>
            </AppLink>
            : {newestText(one)}
          </li>
        ))}
      </ul>
    </Section>
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
