import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { repos, type Repo } from "~/contract/registry/repos";
import { ActionButton } from "~/kit/action-button";
import { Badge } from "~/kit/badge";
import { deleteAction } from "~/kit/menu";
import { RecordHeader, RecordPage } from "~/parts/record-page";
import { RepoTabs } from "~/parts/repo-tabs";
import { useView } from "~/parts/use-view";

import { Origin } from "./-origin";
import { Overlay } from "./-overlay-facts";
import { Readme } from "./-readme";
import { RepoDrawers } from "./-repo-drawers";
import { RepoFacts, SyncFacts } from "./-repo-facts";
import { repoQuery } from "./-repo-queries";
import type { RepoDetailSearch } from "./-repo-search";
import { nameOf, tierWord } from "./-repo-words";
import { useCopyReference } from "./-use-copy-reference";
import classes from "./repos.module.css";

const route = getRouteApi("/repos/$uid");

/** One repo: what it is, where its images come from, and what its readme says. */
export function RepoDetail(): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { open, close } = useView<RepoDetailSearch>();
  const refusal = useRefusal();
  const copyReference = useCopyReference();
  return (
    <RecordPage
      param={route.useParams().uid}
      query={repoQuery}
      last={(repo) => <Readme repo={repo} onEdit={() => open("readme")} />}
    >
      {(repo, stale) => (
        <>
          <RecordHeader
            uid={repo.uid}
            record={repo}
            name={nameOf(repo)}
            badges={<Badges repo={repo} />}
            menu={(common) => [
              copyReference(repo),
              ...common,
              deleteAction(() => open("delete"), refusal(repos.delete, repo.uid)),
            ]}
          >
            <ActionButton reason={refusal(repos.update, repo.uid)} onClick={() => open("edit")}>
              Edit
            </ActionButton>
          </RecordHeader>
          <RepoTabs uid={repo.uid} current="Overview" />
          {stale}
          <RepoDrawers
            drawer={drawer}
            item={repo.uid}
            known={repo}
            onClose={close}
            onDeleted={() => void navigate({ to: "/repos", replace: true })}
          />
          <RepoFacts repo={repo} />
          <SyncFacts repo={repo} />
          <Overlay repo={repo} />
          <p className={classes["quiet"]}>
            End-of-life dates and vulnerability counts exist only in v1 of the API, and are not shown here.
          </p>
        </>
      )}
    </RecordPage>
  );
}

function Badges({ repo }: { readonly repo: Repo }): ReactNode {
  const tier = tierWord(repo.catalogTier);
  return (
    <>
      {tier === undefined ? null : <Badge>{tier}</Badge>}
      <Badge>
        <Origin repo={repo} />
      </Badge>
    </>
  );
}
