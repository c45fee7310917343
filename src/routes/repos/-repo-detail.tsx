import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, notFound } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { isUid } from "~/contract/aip";
import { repos, type Repo } from "~/contract/registry/repos";
import { Badge } from "~/kit/badge";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { RawJson } from "~/kit/json-document";
import { ActionMenu } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { shorten } from "~/kit/shorten";
import { StaleNotice } from "~/kit/stale-notice";
import { Uid } from "~/kit/uid";
import { RepoTabs } from "~/parts/repo-tabs";
import { useTitle } from "~/parts/title";
import { paramToUid } from "~/parts/uid-param";

import { Overlay } from "./-overlay-facts";
import { Readme } from "./-readme";
import { Origin } from "./-repo-columns";
import { RepoDrawers } from "./-repo-drawers";
import { RepoFacts, SyncFacts } from "./-repo-facts";
import { repoQuery } from "./-repo-queries";
import type { RepoDetailSearch } from "./-repo-search";
import { nameOf, tierWord } from "./-repo-words";
import classes from "./repos.module.css";

const route = getRouteApi("/repos/$uid");

/** One repo: what it is, where its images come from, and what its readme says. */
export function RepoDetail(): ReactNode {
  const uid = paramToUid(route.useParams().uid);
  if (!isUid(uid)) throw notFound();
  return <Loaded key={uid} uid={uid} />;
}

function Loaded({ uid }: { readonly uid: string }): ReactNode {
  const { data, error, dataUpdatedAt, refetch } = useQuery(repoQuery(uid));
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
  return <Detail repo={data} stale={stale} />;
}

function Detail({ repo, stale }: { readonly repo: Repo; readonly stale: ReactNode }): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { uid } = repo;
  const name = nameOf(repo);
  const tier = tierWord(repo.catalogTier);
  const update = useCan(repos.update, uid);
  const removal = useCan(repos.delete, uid);
  const show = (opened: RepoDetailSearch["drawer"], replace = false) =>
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
        badges={
          <>
            {tier === undefined ? null : <Badge>{tier}</Badge>}
            <Badge>
              <Origin repo={repo} />
            </Badge>
          </>
        }
        meta={<Uid value={uid} />}
        actions={
          <>
            <ActionMenu
              label={`More actions for ${name}`}
              actions={() => [
                { label: "Delete", onSelect: () => show("delete"), disabled: removal.reason, danger: true },
              ]}
            />
            <DisabledReason reason={update.reason}>
              <Button variant="default" onClick={() => show("edit")}>
                Edit
              </Button>
            </DisabledReason>
          </>
        }
      />
      <RepoTabs uid={uid} current="Overview" />
      {stale}
      <RepoFacts repo={repo} />
      <SyncFacts repo={repo} />
      <Overlay repo={repo} />
      <Readme repo={repo} onEdit={() => show("readme")} />
      <p className={classes["quiet"]}>
        End-of-life dates and vulnerability counts exist only in v1 of the API, and are not shown here.
      </p>
      <RawJson value={repo} />
      <RepoDrawers
        drawer={drawer}
        item={uid}
        known={repo}
        onClose={() => show(undefined, true)}
        onDeleted={() => void navigate({ to: "/repos", replace: true })}
      />
    </Page>
  );
}
