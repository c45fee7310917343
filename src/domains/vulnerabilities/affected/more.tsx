import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Images } from "~/domains/vulnerabilities/advisories/images";
import { verdictOf } from "~/domains/vulnerabilities/advisories/verdict";
import { metadataQuery } from "~/domains/vulnerabilities/advisories/metadata";
import { MetadataView } from "~/domains/vulnerabilities/advisories/metadata-view";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";

import type { AffectedAnswer } from "./data";

interface MoreProps {
  readonly id: string;
  /** uid of the scope's group; undefined for all groups. */
  readonly group: string | undefined;
  readonly answer: AffectedAnswer;
}

/** What follows the verdict: the images that received a fix, and what is publicly known about the vulnerability. */
export function More({ id, group, answer: { advisories, alsoCalled } }: MoreProps): ReactNode {
  return (
    <>
      {advisories.some((advisory) => verdictOf(advisory).fixedIn.length > 0) ? (
        <Images
          group={group}
          advisoryIds={advisories.flatMap(({ advisoryId }) => advisoryId ?? [])}
          since={advisories.flatMap(({ createTime }) => createTime ?? []).toSorted()[0]}
        />
      ) : null}
      <Known id={id} alsoCalled={alsoCalled} />
    </>
  );
}

interface KnownProps {
  readonly id: string;
  readonly alsoCalled: readonly string[];
}

function Known({ id, alsoCalled }: KnownProps): ReactNode {
  const { data, error, refetch } = useQuery(metadataQuery([id, ...alsoCalled]));
  if (error && !data)
    return (
      <FailedPart
        title="The vulnerability's description couldn't be loaded"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data?.length) return null;
  return (
    <Section title="Vulnerability">
      {data.map((metadata) => (
        <MetadataView key={metadata.id} of={metadata} />
      ))}
    </Section>
  );
}
