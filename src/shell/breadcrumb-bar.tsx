import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import { useCallback, useSyncExternalStore, type ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import { Breadcrumbs, type Crumb } from "~/ui/layout/breadcrumbs";
import type { LinkTarget } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";
import { groupPage } from "~/features/scope/group-link";
import { useGroup, usePath, type Step } from "~/features/scope/group-ancestry";
import { repoTags } from "~/features/registry/repo-links";
import { useScope } from "~/features/scope/scope";
import { useTopGroups } from "~/features/scope/top-groups";
import { uidToParam } from "~/features/scope/uid-param";

import { useScopeLink } from "./links";
import { useOrganizationName } from "./organization-switcher";
import { screensOf } from "./screens";
import styles from "./shell.module.css";
import { useRecord, type ShownRecord } from "./use-current";

/** The path to the screen: the groups above a record, or the scope of a list. */
export function BreadcrumbBar(): ReactNode {
  const record = useRecord();
  const { group } = useScope();
  if (record) return <RecordCrumbs record={record} />;
  return group === undefined ? <Everything /> : <ScopeCrumbs group={group} />;
}

/** Without a scope: the one organization that everything lies in, if so. */
function Everything(): ReactNode {
  const name = useOrganizationName();
  const { organizations, folders } = useTopGroups();
  const several = organizations.length + folders.length > 1;
  const label = name ?? (several ? "All groups" : undefined);
  return <div className={styles["crumbs"]}>{label !== undefined && <Breadcrumbs items={[{ label }]} />}</div>;
}

const crumbsOf = (steps: readonly Step[], linkTo: (uid: string) => LinkTarget): Crumb[] =>
  steps.map(({ uid, name }) =>
    name === undefined ? { label: shorten(uid) } : { label: name, link: linkTo(uid) },
  );

function ScopeCrumbs({ group }: { readonly group: string }): ReactNode {
  const linkTo = useScopeLink();
  const { steps, state } = usePath(group);
  const { group: self, error } = useGroup(group);
  const last = self?.name || (error ? shorten(group) : undefined);
  if (state === "loading" || last === undefined) return <div className={styles["crumbs"]} aria-busy="true" />;
  return (
    <div className={styles["crumbs"]}>
      <Breadcrumbs items={[...crumbsOf(steps, linkTo), { label: last }]} />
    </div>
  );
}

const groupOverview = (uid: string): LinkTarget =>
  linkOptions({ to: "/", search: { group: uidToParam(uid) } });

/**
 * A name that a screen has asked for, as soon as it is there: nobody asks twice, and no record's contract is needed here. Read
 * from the cache past React Query's observers, which would have to know how to ask.
 */
function useCachedName(...key: readonly string[]): string | undefined {
  const client = useQueryClient();
  const subscribe = useCallback(
    (tell: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(tell)),
    [client],
  );
  return useSyncExternalStore(
    subscribe,
    () => client.getQueryData<{ readonly name?: string | undefined }>(key)?.name || undefined,
  );
}

function RecordCrumbs({ record }: { readonly record: ShownRecord }): ReactNode {
  const { collection, uid } = record;
  // A tag lies in a repo, not in a group, so it has the repo's path.
  const repo = collection === "tags" ? parentOf(uid) : undefined;
  const { steps, state } = usePath(repo ?? uid);
  const name = useCachedName(collection, "get", uid);
  const nameOnly = useCachedName("repos", "name", repo ?? uid);
  const list = screensOf(collection);
  if (state === "loading") return <div className={styles["crumbs"]} aria-busy="true" />;
  const above = crumbsOf(steps, collection === "groups" ? groupPage : groupOverview);
  return (
    <div className={styles["crumbs"]}>
      <Breadcrumbs
        items={[
          ...(list ? [{ label: list.label, link: { to: list.to } }] : []),
          ...above,
          ...(repo === undefined ? [] : [{ label: nameOnly ?? shorten(repo), link: repoTags(repo) }]),
          { label: name ?? (repo === undefined ? nameOnly : undefined) ?? shorten(uid) },
        ]}
      />
    </div>
  );
}
