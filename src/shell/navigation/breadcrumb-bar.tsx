import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { linkOptions, useParams } from "@tanstack/react-router";
import { useCallback, useSyncExternalStore, type ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { betweenGroupAnd } from "platform-contract/holders";
import { kindOf, listPath } from "platform-contract/kinds";
import { Breadcrumbs, type Crumb } from "~/ui/layout/breadcrumbs";
import type { LinkTarget } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";
import { groupPage } from "~/frame/scope/group-link";
import { useGroup, usePath, type Step } from "~/frame/scope/group-ancestry";
import { useScope } from "~/frame/scope/scope";
import { useScreenTitle } from "~/frame/scope/title";
import { uidToParam } from "~/frame/scope/uid-param";

import { holderParameter, useScopeLink } from "~/shell/links";
import { SCREENS, screensOf, type Screens } from "~/shell/screens";
import styles from "~/shell/shell.module.css";
import { StepMenu } from "./step-menu";
import { useCollection, useRecord, type ShownRecord } from "~/shell/use-current";

/** The path to the screen: a record's ancestors, or the scope of a list. */
export function BreadcrumbBar(): ReactNode {
  const record = useRecord();
  const { group } = useScope();
  const own = useParams({ strict: false, select: (params: { uid?: string }) => params.uid });
  const collection = useCollection();
  const list = SCREENS.find((each) => each.collection === collection);
  if (record) return <RecordCrumbs record={record} />;
  if (own !== undefined && list) return <PlainCrumbs list={list} />;
  // The organization is in the header already.
  return group === undefined || parentOf(group) === "" ? null : <ScopeCrumbs group={group} />;
}

/** The way back from a page whose record is in no group, such as a library. */
function PlainCrumbs({ list }: { readonly list: Screens }): ReactNode {
  const title = useScreenTitle();
  return (
    <div className={styles["crumbs"]}>
      <Breadcrumbs items={[{ label: list.label, link: { to: list.to } }, { label: title || "…" }]} />
    </div>
  );
}

/** The header names the organization: the path begins below it. */
const belowRoot = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ uid }) => uid === "" || parentOf(uid) !== "");

/** Groups that the user can't see are left out: a path begins where they do. */
const crumbsOf = (steps: readonly Step[], linkTo: (uid: string) => LinkTarget): Crumb[] =>
  steps.flatMap(({ uid, name }) =>
    name === undefined ? [] : [{ label: name, link: linkTo(uid), menu: <StepMenu uid={uid} name={name} /> }],
  );

function ScopeCrumbs({ group }: { readonly group: string }): ReactNode {
  const linkTo = useScopeLink();
  const { steps, state } = usePath(group);
  const { group: self, error } = useGroup(group);
  const last = self?.name || (error ? shorten(group) : undefined);
  if (state === "loading" || last === undefined) return <div className={styles["crumbs"]} aria-busy="true" />;
  return (
    <div className={styles["crumbs"]}>
      <Breadcrumbs
        items={[
          ...crumbsOf(belowRoot(steps), linkTo),
          { label: last, menu: <StepMenu uid={group} name={last} /> },
        ]}
      />
    </div>
  );
}

const groupOverview = (uid: string): LinkTarget =>
  linkOptions({ to: "/", search: { group: uidToParam(uid) } });

/**
 * Names of records from the cache, as soon as a screen has loaded them: sends no requests and needs no record's
 * contract. Bypasses React Query's observers, which would require a query function.
 */
function useCachedNames(records: readonly ShownRecord[]): readonly (string | undefined)[] {
  const client = useQueryClient();
  const subscribe = useCallback(
    (tell: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(tell)),
    [client],
  );
  const nameAt = (...key: readonly string[]) =>
    client.getQueryData<{ readonly name?: string | undefined }>(key)?.name || undefined;
  // A single string, since React compares snapshots by identity.
  const names = useSyncExternalStore(subscribe, () =>
    JSON.stringify(
      records.map(
        ({ collection, uid }) => nameAt(collection, "get", uid) ?? nameAt(collection, "name", uid) ?? "",
      ),
    ),
  );
  const list: string[] = JSON.parse(names);
  return list.map((name) => name || undefined);
}

/** The list of a kind limited to one parent record: the tags of a repo. */
const heldIn = (collection: string, uid: string): LinkTarget => ({
  to: listPath(collection),
  search: { [holderParameter(collection) ?? ""]: uidToParam(uid) },
});

function RecordCrumbs({ record }: { readonly record: ShownRecord }): ReactNode {
  const { collection, uid } = record;
  // A tag is in a repo, not directly in a group, so use the repo's path.
  const between = betweenGroupAnd(record);
  const { steps, state } = usePath(between[0]?.uid ?? uid);
  const keyed = kindOf(collection)?.keyedByParent === true;
  const { group: own } = useGroup(keyed ? uid : undefined);
  const way = [...between, record];
  const names = useCachedNames(way);
  // For kinds without names, use the title of the page.
  const title = useScreenTitle();
  const list = screensOf(way[0] ?? record);
  if (state === "loading") return <div className={styles["crumbs"]} aria-busy="true" />;
  // A record with the uid of its group is in that group.
  const places = keyed ? [...steps, { uid, name: own?.name }] : steps;
  const above = crumbsOf(belowRoot(places), collection === "groups" ? groupPage : groupOverview);
  return (
    <div className={styles["crumbs"]}>
      <Breadcrumbs
        items={[
          ...above,
          ...(list ? [{ label: list.label, link: { to: list.to } }] : []),
          ...way.map((step, index) => {
            const held = way[index + 1]?.collection;
            const own = held === undefined ? title || undefined : undefined;
            const label = names[index] ?? own ?? shorten(step.uid);
            return held === undefined ? { label } : { label, link: heldIn(held, step.uid) };
          }),
        ]}
      />
    </div>
  );
}
