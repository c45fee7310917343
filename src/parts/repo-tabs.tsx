import type { ReactNode } from "react";

import type { LinkTarget } from "~/kit/link";
import { Tabs } from "~/kit/tabs";

import { repoPage, repoTags } from "./repo-links";

interface RepoTabsProps {
  readonly uid: string;
  readonly current: "Overview" | "Tags";
}

// Exact: a link to the tags as they come would else be the current one under every filter.
const exactly = (link: LinkTarget) => ({ ...link, activeOptions: { exact: true } });

/** The screens of one repo. */
export function RepoTabs({ uid, current }: RepoTabsProps): ReactNode {
  const tabs = [
    { label: "Overview", link: exactly(repoPage(uid)) },
    { label: "Tags", link: exactly(repoTags(uid)) },
  ];
  return <Tabs label="Screens of the repo" tabs={tabs} current={current} />;
}
