import type { ReactNode } from "react";

import type { Repo } from "platform-contract/registry/repos";
import { paramToUid } from "~/frame/scope/uid-param";
import { useCleanAddress } from "~/frame/clean-address";
import type { PageView } from "~/frame/define";
import type { Address } from "~/frame/scope/address";
import { RecordScreen } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import { readAccess, type AccessView } from "~/domains/access/grants/links";
import { onDemand } from "~/ui/on-demand";

import { repoScreens } from "./data";
import { RepoFacts, SyncFacts } from "./facts";
import { CreateTag, useRepoHead } from "./head";
import { Overlay } from "./overlay-facts";
import { Readme } from "./readme";

// The other tabs do not need it.
const WhoHasAccess = onDemand(
  async () => (await import("~/domains/access/role-bindings/who-has-access")).WhoHasAccess,
);

/** Reads the search parameters of the page: the overview, or who has access. */
const readPage = (address: Address): AccessView => ({
  ...repoScreens.readPage(address),
  ...readAccess(address),
});

/** Shows one repo: its fields, the source of its images, and its readme; or who has access to it. */
export function RepoPage(): ReactNode {
  const { open } = useView<PageView>();
  const { tab, drawer, item, can } = useCleanAddress(readPage);
  const access = tab === "access";
  const head = {
    ...useRepoHead(access ? "Who has access" : "Overview"),
    of: { ...repoScreens, readPage },
    primary: ({ uid }: Repo) => <CreateTag uid={uid} />,
  };
  if (access)
    return (
      <RecordScreen {...head}>
        {({ uid }) => (
          <WhoHasAccess uid={uid} of="repo" view={{ drawer, item: item && paramToUid(item), can }} />
        )}
      </RecordScreen>
    );
  return (
    <RecordScreen {...head} last={(repo) => <Readme repo={repo} onEdit={() => open("readme")} />}>
      {(repo) => <RepoOverview repo={repo} />}
    </RecordScreen>
  );
}

const RepoOverview = ({ repo }: { readonly repo: Repo }): ReactNode => (
  <>
    <RepoFacts repo={repo} />
    <SyncFacts repo={repo} />
    <Overlay repo={repo} />
  </>
);
