import { useQuery } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { total } from "~/api/queries";
import type { Endpoint } from "~/contract/endpoint";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { repos } from "~/contract/registry/repos";
import type { ListAnswer, ListQuery } from "~/contract/resource";
import { Dash } from "~/kit/dash";
import { AppLink, type LinkTarget } from "~/kit/link";
import { formatCount } from "~/kit/numbers";
import { uidToParam } from "~/parts/uid-param";

import styles from "./overview.module.css";

/** How much a group and everything below it hold; a link where there is a screen for it. */
export function GroupCounts({ uid }: { readonly uid: string }): ReactNode {
  const search = { group: uidToParam(uid) };
  return (
    <dl className={styles["counts"]} aria-label="Here and below">
      <Count label="Folders" {...useTotal(groups.list, uid)} link={linkOptions({ to: "/groups", search })} />
      <Count
        label="Identities"
        {...useTotal(identities.list, uid)}
        link={linkOptions({ to: "/identities", search })}
      />
      <Count label="Role bindings" {...useTotal(roleBindings.list, uid)} />
      <Count label="Custom roles" {...useTotal(roles.list, uid)} />
      <Count label="Repos" {...useTotal(repos.list, uid)} link={linkOptions({ to: "/repos", search })} />
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
  const { state } = useWho();
  const { data, isError } = useQuery({ ...total(list, { "uidp.descendants_of": uid }), enabled: allowed });
  // Nought is also what the service answers to somebody who may not look.
  const hidden = !allowed || (data === 0 && state !== "known");
  return { count: data, failed: isError, hidden };
}

function Count(props: Total & { readonly label: string; readonly link?: LinkTarget }): ReactNode {
  const { label, count, failed, hidden, link } = props;
  const missing = hidden ? "none that you may see" : failed ? "not available" : "not known yet";
  return (
    <div className={styles["count"]}>
      <dt>{link ? <AppLink target={link}>{label}</AppLink> : label}</dt>
      <dd>{!hidden && count !== undefined ? formatCount(count) : <Dash label={missing} />}</dd>
    </div>
  );
}
