import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser } from "~/access/current-user";
import { total } from "~/api/queries/queries";
import type { Endpoint } from "~/contract/endpoint";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { repos } from "~/contract/registry/repos";
import type { ListAnswer, ListQuery } from "~/contract/resource";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatCount } from "~/ui/display/numbers";
import { useListLink } from "~/resource/list-link";

import styles from "./overview.module.css";

/** Counts of a group with its subfolders; links where a screen exists. */
export function GroupCounts({ uid }: { readonly uid: string }): ReactNode {
  return (
    <dl className={styles["counts"]} aria-label="Including subfolders">
      <Count label="Folders" list={groups.list} uid={uid} />
      <Count label="Identities" list={identities.list} uid={uid} />
      <Count label="Role bindings" list={roleBindings.list} uid={uid} />
      <Count label="Custom roles" list={roles.list} uid={uid} />
      <Count label="Repos" list={repos.list} uid={uid} />
    </dl>
  );
}

interface Total {
  readonly count: number | bigint | undefined;
  readonly failed: boolean;
  readonly hidden: boolean;
}

function useTotal<T>(list: Endpoint<ListQuery, undefined, ListAnswer<T>>, uid: string): Total {
  const { allowed } = useCan(list, uid);
  const { state } = useCurrentUser();
  const { data, isError } = useQuery({ ...total(list, { "uidp.descendants_of": uid }), enabled: allowed });
  // The service also answers 0 to a caller without access.
  const hidden = !allowed || (data === 0 && state !== "known");
  return { count: data, failed: isError, hidden };
}

interface CountProps<T> {
  readonly label: string;
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  readonly uid: string;
}

function Count<T>({ label, list, uid }: CountProps<T>): ReactNode {
  const { count, failed, hidden } = useTotal(list, uid);
  const link = useListLink()(list.collection, uid, "below");
  const missing = hidden ? "hidden by your role" : failed ? "not available" : "loading";
  return (
    <div className={styles["count"]}>
      <dt>{link ? <AppLink target={link}>{label}</AppLink> : label}</dt>
      <dd>{!hidden && count !== undefined ? formatCount(count) : <Dash label={missing} />}</dd>
    </div>
  );
}
