import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { Tabs } from "~/kit/tabs";

import { uidToParam } from "./uid-param";

interface RepoTabsProps {
  /** Of the repo. */
  readonly uid: string;
  readonly current: "Overview" | "Tags";
}

/** The two screens of a repo: what it is, and its tags. */
export function RepoTabs({ uid, current }: RepoTabsProps): ReactNode {
  const repo = uidToParam(uid);
  return (
    <Tabs
      label="Parts of the repo"
      current={current}
      tabs={[
        { label: "Overview", link: linkOptions({ to: "/repos/$uid", params: { uid: repo } }) },
        { label: "Tags", link: { to: "/tags", search: { repo } } },
      ]}
    />
  );
}
