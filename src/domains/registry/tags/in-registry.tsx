import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { identityLink } from "~/frame/record/identity-link";
import { useRegistryConnected } from "~/domains/registry/references/use-registry-connected";
import { ApiError } from "platform-client/errors";
import { parentOf } from "platform-contract/aip";
import { getRegistryImage, type RegistryReferrer } from "platform-contract/registry/behind";
import type { Tag } from "platform-contract/registry/tags";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { ExternalLink } from "~/ui/display/external-link";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { shortDigest, shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";

const KINDS: Readonly<Record<string, string>> = {
  REFERRER_KIND_SIGNATURE: "Signature, not verified",
  REFERRER_KIND_ATTESTATION: "Attestation, not verified",
  REFERRER_KIND_SBOM: "SBOM, not verified",
};
const imageQuery = (path: { readonly uid: string; readonly digest: string }) =>
  queryOptions({
    queryKey: [getRegistryImage.collection, getRegistryImage.verb, path] as const,
    meta: { requests: () => [{ endpoint: getRegistryImage, path }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(getRegistryImage, { path, signal }),
    // Most are there; one that isn't seen yet is no failure to try again.
    retry: false,
  });

const ANNOTATION = "org.opencontainers.image.";

/** What the service saw of a tag's image in the registry: who pushed it, what it was made from, what is attached to it. */
export function InRegistry({ tag: { uid, digest } }: { readonly tag: Tag }): ReactNode {
  const known = useRegistryConnected();
  const { data, error, refetch } = useQuery({
    ...imageQuery({ uid: parentOf(uid), digest: digest ?? "" }),
    enabled: known && digest !== undefined,
  });
  if (!known || digest === undefined) return null;
  if (!data)
    return (
      <Section title="In the registry">
        {!error ? (
          <p className={classes["quiet"]}>Loading…</p>
        ) : error instanceof ApiError && error.code === "NOT_FOUND" ? (
          <p className={classes["quiet"]}>This service hasn&apos;t seen this image in the registry yet.</p>
        ) : (
          <FailedPart title="The image couldn't be loaded" error={error} onRetry={refetch} />
        )}
      </Section>
    );
  const { annotations = {}, referrers = [], pushedBy, pushedByName, lookTime } = data;
  const text = (term: string, key: string): Definition[] => {
    const value = annotations[`${ANNOTATION}${key}`];
    return value ? [{ term, value: <Code value={value} what={term.toLowerCase()} />, wide: true }] : [];
  };
  const source = annotations[`${ANNOTATION}source`];
  return (
    <Section
      title="In the registry"
      description={
        <>
          Seen <Time value={lookTime} />
        </>
      }
    >
      <DefinitionList
        items={[
          ...(pushedBy === undefined
            ? []
            : [
                {
                  term: "Pushed by",
                  value: (
                    <AppLink target={identityLink(pushedBy)}>
                      <bdi>{pushedByName || shorten(pushedBy)}</bdi>
                    </AppLink>
                  ),
                },
              ]),
          ...(annotations[`${ANNOTATION}created`]
            ? [{ term: "Built", value: <Time value={annotations[`${ANNOTATION}created`]} /> }]
            : []),
          ...(source
            ? [{ term: "Source", value: <ExternalLink address={source}>{source}</ExternalLink>, wide: true }]
            : []),
          ...text("Revision", "revision"),
          ...text("Base image", "base.name"),
        ]}
      />
      {referrers.length === 0 ? (
        <p className={classes["quiet"]}>No signature, attestation or SBOM is attached to it.</p>
      ) : (
        <div className={classes["attached"]}>
          <FactTable
            caption="Attached to this image"
            stacks
            head={["Attached", "Type", "Digest"]}
            rows={referrers.map(rowOf)}
          />
        </div>
      )}
    </Section>
  );
}

const rowOf = ({ kind = "", type = "", digest = "" }: RegistryReferrer): ReactNode[] => [
  KINDS[kind] ?? "Something else",
  <code key="type">{type}</code>,
  <code key="digest" data-exact={digest}>
    {shortDigest(digest)}
  </code>,
];
