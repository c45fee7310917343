import { PackageIcon, SyncIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";

import { isSynced } from "./data";
import classes from "./styles.module.css";

/** Where its images come from: another repo, or those who push here. */
export function Origin({ repo }: { readonly repo: Repo }): ReactNode {
  const synced = isSynced(repo);
  return (
    <span className={classes["origin"]}>
      {synced ? <SyncIcon size={16} /> : <PackageIcon size={16} />}
      {synced ? "Synced" : "Own"}
    </span>
  );
}
