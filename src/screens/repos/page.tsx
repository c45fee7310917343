import type { ReactNode } from "react";

import { useView } from "~/resource/use-view";
import type { PageView } from "~/resource/define";
import { RecordScreen } from "~/resource/record-screen";

import { RepoFacts, SyncFacts } from "./facts";
import { useRepoHead } from "./head";
import { Overlay } from "./overlay-facts";
import { Readme } from "./readme";
import classes from "./styles.module.css";

/** One repo: what it is, where its images come from, and what its readme says. */
export function RepoPage(): ReactNode {
  const { open } = useView<PageView>();
  return (
    <RecordScreen
      {...useRepoHead("Overview")}
      last={(repo) => <Readme repo={repo} onEdit={() => open("readme")} />}
    >
      {(repo) => (
        <>
          <RepoFacts repo={repo} />
          <SyncFacts repo={repo} />
          <Overlay repo={repo} />
          <p className={classes["quiet"]}>
            End-of-life dates and vulnerability counts are only available in API v1.
          </p>
        </>
      )}
    </RecordScreen>
  );
}
