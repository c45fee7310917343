import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { isPerson } from "~/frame/scope/people";
import { useUnseen } from "~/frame/scope/use-sight";
import { rootOf } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";

import { identityUidOf, whoOf } from "./bindings";
import { countingQuery } from "./counting";
import { accessPage } from "./links";
import { GRANT, holdersOf, useRoleChoice } from "./roles";
import classes from "./styles.module.css";

/** People who are named; the page of the folder has the others. */
const NAMED = 3;

/** Names the people who can grant access in a group, as far as the user can see who has which role. */
export function WhoDecides({ group }: { readonly group: string }): ReactNode {
  const { allowed } = useCan(roleBindings.list, group);
  const unseen = useUnseen(roleBindings.list, "role bindings", rootOf(group));
  const { data, isError } = useQuery({ ...countingQuery(group), enabled: allowed });
  const { everywhere } = useRoleChoice(group);
  if (isError && !data)
    return <p className={classes["quiet"]}>Who can grant access there couldn&apos;t be loaded.</p>;
  if (allowed && !data) return <p className={classes["quiet"]}>Loading…</p>;
  const { shown } = holdersOf(data?.rows ?? [], everywhere, [GRANT]);
  const holders = new Map(shown.map((binding) => [identityUidOf(binding), whoOf(binding)]));
  const people = new Map([...holders].filter(([uid]) => isPerson(uid)));
  const machines = holders.size - people.size;
  if (people.size === 0)
    return <p className={classes["quiet"]}>You can&apos;t see who can grant access there.</p>;
  const rest = people.size - NAMED;
  // A number only if all were read, and none is hidden.
  const others =
    data?.whole === false || unseen !== undefined
      ? " and perhaps others"
      : `${rest > 0 ? ` and ${formatCount(rest)} more` : ""}${machines > 0 ? ` (and ${formatQuantity(machines, "machine")})` : ""}`;
  return (
    <p className={classes["quiet"]}>
      {[...people].slice(0, NAMED).map(([uid, name], index) => (
        <span key={uid}>
          {index === 0 ? "" : ", "}
          <bdi>{name}</bdi>
        </span>
      ))}
      {others} can grant access there.{" "}
      <AppLink target={accessPage(group, GRANT)}>Who can grant access there</AppLink>
    </p>
  );
}
