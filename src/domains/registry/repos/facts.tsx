import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isUid, parentOf } from "platform-contract/aip";
import type { Repo } from "platform-contract/registry/repos";
import { updatedFact } from "~/frame/record/history";
import { useRetentionFact } from "~/frame/record/retention-fact";
import { Code } from "~/ui/display/code";
import { CopyButton } from "~/ui/display/copy-button";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Expiry } from "~/ui/display/expiry";
import { Document } from "~/ui/display/json-document";
import { AppLink } from "~/ui/layout/link";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Help } from "~/frame/help/help";
import { placeFact } from "~/frame/scope/group-link";
import { usePath } from "~/frame/scope/group-ancestry";
import { atHost } from "~/domains/registry/references/pull-reference";
import { namespaceIn, registryPath } from "~/domains/registry/references/references";
import { SharedReference } from "~/domains/registry/references/shared-reference";
import { repoPage } from "~/domains/registry/references/repo-links";
import { tierWord } from "~/domains/registry/references/tiers";

import { repoScreens, SYNC_ENDS } from "./data";
import classes from "./styles.module.css";
import { Words } from "./words";

/** Shows the fields of a repo. */
export function RepoFacts({ repo }: { readonly repo: Repo }): ReactNode {
  const { uid, description, catalogTier, activeTags, aliases, bundles, createTime } = repo;
  const reference = useReference(repo);
  const retention = useRetentionFact(uid, true);
  return (
    <>
      <SharedReference at={uid} name={repo.name} uid={uid} />
      <DefinitionList
        items={[
          ...reference,
          {
            term: "Description",
            value: description && (
              <p className={classes["prose"]} dir="auto">
                {description}
              </p>
            ),
            wide: true,
          },
          placeFact(parentOf(uid)),
          ...retention,
          { term: "Catalog tier", value: tierWord(catalogTier) },
          ...words("Active tags", activeTags),
          ...words("Aliases", aliases),
          ...words("Bundles", bundles),
          { term: "Created", value: <Time value={createTime} /> },
          updatedFact("repos", repo),
        ]}
      />
    </>
  );
}

/** A fact that few repos have; no item for the others. */
const words = (term: string, of: readonly string[] | undefined): readonly Definition[] =>
  of?.length ? [{ term, value: <Words of={of} />, wide: true }] : [];

/** The image reference without a tag, for a FROM line or a values file; or why there is none. */
function useReference({ uid, name }: Repo): readonly Definition[] {
  const { registryHost: host } = useRouteContext({ from: "__root__" }).config;
  const { steps, state } = usePath(host === undefined ? undefined : uid);
  if (host === undefined) return [];
  const names = { organization: steps[0]?.name, namespace: namespaceIn(steps), repo: name };
  const { path, problem } = registryPath(names);
  // On one line, as it is while it loads.
  const value =
    path !== undefined ? (
      <Code oneLine value={atHost(host, path)} what="reference" />
    ) : state === "loading" ? (
      "Loading…"
    ) : (
      problem
    );
  return [{ term: "Reference", value, wide: true }];
}

const yesOrNo = (flag: boolean | undefined): string => (flag ? "Yes" : "No");

/** Shows where the images are copied from, and their further destinations. */
export function SyncFacts({ repo }: { readonly repo: Repo }): ReactNode {
  const { sync_config: sync } = repo;
  if (!sync) return null;
  const { source, expirationTime, uniqueTags, gracePeriod, google, amazon, azure, apkoOverlay } = sync;
  return (
    <Section
      title="Synced from another repo"
      description={
        <>
          Tier, bundles, aliases, active tags and readme come from the source. <Help about="synced repos" />
        </>
      }
    >
      <DefinitionList
        items={[
          { term: "Source", value: source && <Source uid={source} />, wide: true },
          { term: "Syncing stops", value: <Expiry value={expirationTime} soon={SYNC_ENDS} /> },
          { term: "Unique tags", value: yesOrNo(uniqueTags) },
          { term: "End-of-life grace", value: yesOrNo(gracePeriod) },
          ...Object.entries({ Google: google, Amazon: amazon, Azure: azure }).flatMap(([cloud, target]) =>
            target
              ? [
                  {
                    term: `Also synced to ${cloud}`,
                    value: <Code value={target} what="destination" />,
                    wide: true,
                  },
                ]
              : [],
          ),
          ...(apkoOverlay
            ? [
                {
                  term: "Build overlay",
                  value: <Document text={apkoOverlay} what="build overlay" />,
                  wide: true,
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

/** Shows the source by name if it can be read. */
function Source({ uid }: { readonly uid: string }): ReactNode {
  const known = isUid(uid);
  const { data, isLoading } = useQuery({ ...repoScreens.record(uid), enabled: known, retry: false });
  if (!known) return <Code value={uid} what="source" />;
  return (
    <span className={classes["code"]}>
      <AppLink target={repoPage(uid)}>
        <bdi>{data?.name || (isLoading ? "…" : shorten(uid))}</bdi>
      </AppLink>
      <CopyButton value={uid} what="uid of the source" />
    </span>
  );
}
