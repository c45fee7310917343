import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { listRegistryDifferences, type RegistryDifferenceRow } from "platform-contract/registry/behind";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";

import classes from "./styles.module.css";

const WORDS: Readonly<Record<string, string>> = {
  DIFFERENCE_AMBIGUOUS: "Several repos here have this name",
  DIFFERENCE_REPO_MISSING: "The repo wasn't here",
  DIFFERENCE_TAG_MISSING: "The tag wasn't here",
  DIFFERENCE_TAG_GONE: "The registry doesn't have this tag",
  DIFFERENCE_OTHER_DIGEST: "The tag named another image here",
  DIFFERENCE_UNREADABLE: "The registry's answer couldn't be read",
};
/** Rows that are shown. */
const SHOWN = 100;

const query = {
  queryKey: [listRegistryDifferences.collection, listRegistryDifferences.verb] as const,
  meta: { requests: () => [{ endpoint: listRegistryDifferences }] } satisfies QueryFacts,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listRegistryDifferences, { query: {}, signal }),
};

/** In what the registry and this service differed at the last comparison, of the repos that the reader sees. */
export function Differences(): ReactNode {
  const { data, error, refetch } = useQuery(query);
  const { differences = [], compareTime, failTime, complete = true } = data ?? {};
  return (
    <Section
      title="Differences from the registry"
      count={differences.length || undefined}
      description={
        compareTime === undefined ? (
          "Compared every hour."
        ) : (
          <>
            Last compared <Time value={compareTime} />. Of repos that you can see.
          </>
        )
      }
    >
      {failTime === undefined ? null : (
        <Notice tone="warning" title="The last comparison failed">
          Tried <Time value={failTime} />. The service&apos;s log says why.
        </Notice>
      )}
      {error && !data ? (
        <FailedPart title="The differences couldn't be loaded" error={error} onRetry={refetch} />
      ) : differences.length === 0 ? (
        <p>{!data ? "Loading…" : compareTime === undefined ? "Not compared yet." : "None."}</p>
      ) : (
        <FactTable
          caption="Differences from the registry"
          stacks
          head={["Name", "Difference", "Here"]}
          rows={differences.slice(0, SHOWN).map(rowOf)}
        />
      )}
      {differences.length > SHOWN || !complete ? (
        <p>
          {formatCount(Math.min(SHOWN, differences.length))} are shown. The command{" "}
          <code>platform-console registry sync</code> tells all.
        </p>
      ) : null}
    </Section>
  );
}

const rowOf = ({
  repository = "",
  reference = "",
  difference = "",
  mended = false,
}: RegistryDifferenceRow): ReactNode[] => [
  <code key="name">{reference ? `${repository}:${reference}` : repository}</code>,
  <span key="difference" className={classes["words"]}>
    {WORDS[difference] ?? difference}
  </span>,
  <span key="here" className={classes["words"]}>
    {mended ? "Corrected" : "Not corrected"}
  </span>,
];
