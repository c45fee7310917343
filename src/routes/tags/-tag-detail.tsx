import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, notFound } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { isUid, parentOf } from "~/contract/aip";
import { tags, type Tag } from "~/contract/registry/tags";
import { Badge } from "~/kit/badge";
import "~/kit/button-styles";
import { CopyButton } from "~/kit/copy-button";
import { DefinitionList } from "~/kit/definition-list";
import { DisabledReason } from "~/kit/disabled-reason";
import { RawJson } from "~/kit/json-document";
import { ActionMenu } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { Section } from "~/kit/section";
import { shorten } from "~/kit/shorten";
import { StaleNotice } from "~/kit/stale-notice";
import { Time } from "~/kit/time";
import { Uid } from "~/kit/uid";
import { repoTags } from "~/parts/repo-links";
import { useTitle } from "~/parts/title";
import { paramToUid } from "~/parts/uid-param";

import { AlsoTagged } from "./-also-tagged";
import { ImageTable } from "./-image-table";
import { compareOf } from "./-links";
import { PullReferences } from "./-pull-references";
import { Deprecated, RepoName } from "./-tag-columns";
import { TagDrawers } from "./-tag-drawers";
import { tagQuery } from "./-tag-queries";
import type { TagDetailSearch } from "./-tag-search";
import classes from "./tags.module.css";

const route = getRouteApi("/tags/$uid");

/** One tag: the image that it names, its other names, and how to pull it. */
export function TagDetail(): ReactNode {
  const uid = paramToUid(route.useParams().uid);
  if (!isUid(uid)) throw notFound();
  return <Loaded key={uid} uid={uid} />;
}

function Loaded({ uid }: { readonly uid: string }): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(tagQuery(uid));
  useTitle(data?.name);
  // What the shell says of it stands in the place of the screen.
  if (error && !data) throw error;
  if (!data)
    return (
      <Page>
        <PageHeader title={shorten(uid)} description="Loading…" />
      </Page>
    );
  const stale = error && <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} />;
  return <Detail tag={data} stale={stale} />;
}

function Detail({ tag, stale }: { tag: Tag; stale: ReactNode }): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { uid, name, digest, deprecated } = tag;
  const repo = parentOf(uid);
  const creation = useCan(tags.create, uid);
  const removal = useCan(tags.delete, uid);
  const show = (opened: TagDetailSearch["drawer"], replace = false) =>
    void navigate({
      to: ".",
      search: (view: object) => ({ ...view, drawer: opened }),
      replace,
      resetScroll: false,
    });
  return (
    <Page>
      <PageHeader
        title={name}
        badges={deprecated ? <Deprecated /> : null}
        meta={<Uid value={uid} />}
        actions={
          <>
            <ActionMenu
              label={`More actions for ${name}`}
              actions={() => [
                { label: "Copy a reference", onSelect: () => show("pull") },
                { label: "Compare with another tag", link: compareOf(uid) },
                { label: "Delete", onSelect: () => show("delete"), disabled: removal.reason, danger: true },
              ]}
            />
            <DisabledReason reason={creation.reason}>
              <Button variant="default" onClick={() => show("create")}>
                Move tag
              </Button>
            </DisabledReason>
          </>
        }
      />
      {stale}
      <TagFacts tag={tag} />
      <ImageTable repo={repo} digest={digest} />
      <AlsoTagged tag={tag} />
      <Section title="Pull">
        <PullReferences tag={tag} />
      </Section>
      <RawJson value={tag} />
      <TagDrawers
        drawer={drawer}
        item={uid}
        known={tag}
        repo={repo}
        onClose={() => show(undefined, true)}
        onDeleted={() => void navigate({ ...(repoTags(repo) as { to: "/tags" }), replace: true })}
      />
    </Page>
  );
}

function TagFacts({ tag }: { readonly tag: Tag }): ReactNode {
  const { uid, digest, deprecated, bundles = [], updateTime } = tag;
  return (
    <DefinitionList
      items={[
        {
          term: "Digest",
          value: digest && (
            <span className={classes["command"]}>
              <code>{digest}</code>
              <CopyButton value={digest} what="digest" />
            </span>
          ),
          wide: true,
        },
        { term: "Repo", value: <RepoName uid={parentOf(uid)} /> },
        { term: "Updated", value: <Time value={updateTime} /> },
        {
          term: "State",
          value: deprecated
            ? "Deprecated: past its end of life, no longer maintained. The date of that is told by v1 of the API alone."
            : "Active",
        },
        {
          term: "Bundles",
          value:
            bundles.length > 0 ? (
              <span className={classes["chips"]}>
                {bundles.map((bundle) => (
                  <Badge key={bundle}>{bundle}</Badge>
                ))}
              </span>
            ) : undefined,
        },
      ]}
    />
  );
}
