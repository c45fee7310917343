import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { bindingPage } from "~/domains/access/grants/links";
import { RoleEnd } from "~/domains/access/grants/role-end";
import { useCan } from "~/frame/permissions/use-can";
import { rootOf } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";

/** Roles that are named; more than a few need a page of their own. */
const SHOWN = 5;

interface RolesNowProps {
  readonly identity: string;
  /** uid of the group that access is asked for. */
  readonly group: string;
}

/** The roles that somebody who asks for access has already in that organization, as far as the user sees them. */
export function RolesNow({ identity, group }: RolesNowProps): ReactNode {
  const { allowed } = useCan(roleBindings.list, group);
  const { data } = useInfiniteQuery({
    ...infinite(roleBindings.list, {
      identity,
      "uidp.descendants_of": rootOf(group),
      page_size: SHOWN,
    }),
    enabled: allowed,
  });
  const { rows, total } = rowsOf(data);
  if (!data) return null;
  const more = Number(total ?? rows.length) - rows.length;
  return (
    <p className={classes["quiet"]}>
      {rows.length === 0 ? "No role in this organization yet, as far as you can see." : "Has now: "}
      {rows.map((binding, index) => (
        <span key={binding.uid}>
          {index === 0 ? null : ", "}
          <AppLink target={bindingPage(binding.uid)}>
            <bdi>{roleNameOf(binding)}</bdi> in <bdi>{groupNameOf(binding)}</bdi>
          </AppLink>
          <RoleEnd of={binding} />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : null}
    </p>
  );
}
