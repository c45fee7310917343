import type { ReactNode } from "react";

import type { Repo, RepoInput } from "~/contract/registry/repos";
import { Badge } from "~/ui/display/badge";
import type { LinkTarget } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { Tabs } from "~/ui/layout/tabs";
import { repoPage, repoTags } from "~/features/registry/repo-links";
import type { RecordFacts } from "~/resource/record-screen";

import { repoScreens, tierWord } from "./data";
import { Origin } from "./origin";
import { useCopyReference } from "./copy-reference";

const RepoDrawers = onDemand(async () => (await import("./drawers")).RepoDrawers);

// Exact: a link to the tags as they come would else be the current one under every filter.
const exactly = (link: LinkTarget): LinkTarget => Object.assign({ activeOptions: { exact: true } }, link);

/** The head of a repo's page, whose tabs are its overview and its tags. */
export function useRepoHead(current: "Overview" | "Tags"): RecordFacts<Repo, RepoInput> {
  const copyReference = useCopyReference();
  return {
    of: repoScreens,
    drawers: RepoDrawers,
    badges: (repo) => <Badges repo={repo} />,
    actions: (repo) => [copyReference(repo)],
    tabs: (uid) => (
      <Tabs
        label="Screens of the repo"
        tabs={[
          { label: "Overview", link: exactly(repoPage(uid)) },
          { label: "Tags", link: exactly(repoTags(uid)) },
        ]}
        current={current}
      />
    ),
  };
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
