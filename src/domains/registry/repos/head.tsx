import { PackageIcon, RefreshCwIcon } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { decisionPage } from "~/domains/access/decisions/links";
import { parentOf } from "platform-contract/aip";
import { pullTokenFor } from "~/domains/identities/pull-token/links";
import { usePullTokenRefusal } from "~/domains/identities/pull-token/use-refused";
import { PULL, PUSH } from "platform-contract/capability";
import { tags } from "platform-contract/registry/tags";
import { ActionButton } from "~/ui/controls/action-button";
import type { Repo, RepoInput } from "platform-contract/registry/repos";
import { Badge } from "~/ui/display/badge";
import { Kind } from "~/ui/display/kind";
import { Tabs } from "~/ui/layout/tabs";
import { toast } from "~/ui/feedback/toast-store";
import type { MenuAction } from "~/ui/overlay/menu";
import { atHost } from "~/domains/registry/references/pull-reference";
import { copyReference, organizationNames, registryPath } from "~/domains/registry/references/references";
import { uidToParam } from "~/frame/scope/uid-param";
import { repoAccess, repoPage, repoTags } from "~/domains/registry/references/repo-links";
import type { RecordFacts } from "~/frame/record/record-screen";
import { tierWord } from "~/domains/registry/references/tiers";

import { isSynced, repoScreens } from "./data";

/** The head of a repo's page, with tabs for its overview, its tags, and who has access. */
export function useRepoHead(current: "Overview" | "Tags" | "Who has access"): RecordFacts<Repo, RepoInput> {
  const copyReference = useCopyReference();
  const pullTokenAction = usePullTokenAction();
  return {
    of: repoScreens,
    badges: (repo) => <Badges repo={repo} />,
    actions: (repo) => [
      copyReference(repo),
      pullTokenAction(repo),
      { label: "Who can pull", link: repoAccess(repo.uid, PULL) },
      { label: "Who can push", link: repoAccess(repo.uid, PUSH) },
      { label: "Why somebody can't pull or push", link: decisionPage({ on: repo.uid }) },
      { label: "Delete old tags", link: { to: "/retention", search: { repo: uidToParam(repo.uid) } } },
    ],
    tabs: (uid) => (
      <Tabs
        label="Repo pages"
        tabs={[
          { label: "Overview", link: repoPage(uid) },
          { label: "Tags", link: repoTags(uid) },
          { label: "Who has access", link: repoAccess(uid) },
        ]}
        current={current}
      />
    ),
  };
}

/** The menu's action that makes a pull token for a repo. Without a registry its dialog says how to connect one. */
export function usePullTokenAction(): (repo: Repo) => MenuAction {
  const refusal = usePullTokenRefusal();
  return ({ uid }) => ({
    label: "Create pull token…",
    link: pullTokenFor(parentOf(uid), uid),
    disabled: refusal(parentOf(uid)),
  });
}

/** Creates a tag from a tab that lists none: on every tab, so that what is beside it keeps its place. */
export function CreateTag({ uid }: { readonly uid: string }): ReactNode {
  const navigate = useNavigate();
  const { reason } = useCan(tags.create, uid);
  return (
    <ActionButton reason={reason} onClick={() => void navigate(repoTags(uid, { drawer: "create" }))}>
      Create tag
    </ActionButton>
  );
}

export const originWord = (repo: Repo): string => (isSynced(repo) ? "Synced" : "Pushed here");

function Badges({ repo }: { readonly repo: Repo }): ReactNode {
  const tier = tierWord(repo.catalogTier);
  return (
    <>
      {tier === undefined ? null : <Badge tone="quiet">{tier}</Badge>}
      <Badge tone="quiet" icon={isSynced(repo) ? <RefreshCwIcon /> : <PackageIcon />}>
        {originWord(repo)}
      </Badge>
    </>
  );
}

/** Shows whether its images are synced from another repo or pushed here. */
export const Origin = ({ repo }: { readonly repo: Repo }): ReactNode => (
  <Kind icon={isSynced(repo) ? RefreshCwIcon : PackageIcon}>{originWord(repo)}</Kind>
);

/** Action that copies a repo's image reference without a tag, or says why there is none. */
export function useCopyReference(): (repo: Repo) => MenuAction {
  const client = useQueryClient();
  const { registryHost: host } = useRouteContext({ from: "__root__" }).config;
  const copy = async ({ uid, name: repo }: Repo): Promise<void> => {
    const { path, problem } = registryPath({ ...(await organizationNames(client, uid)), repo });
    if (path === undefined) toast(`No reference. ${problem}`);
    else await copyReference(host === undefined ? path : atHost(host, path), host);
  };
  return (repo) => ({ label: "Copy reference", onSelect: () => void copy(repo) });
}
