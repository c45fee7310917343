import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { uidToParam } from "~/frame/scope/uid-param";
import { AppLink } from "~/ui/layout/link";

import { RoleBadge } from "./role-badge";
import classes from "./role-badge.module.css";

interface RoleLinkProps {
  readonly uid: string;
  readonly name: string;
}

/** The chip of a role, as a link to its page. */
export const RoleLink = ({ uid, name }: RoleLinkProps): ReactNode => (
  <AppLink
    target={linkOptions({ to: "/roles/$uid", params: { uid: uidToParam(uid) } })}
    className={classes["link"]}
  >
    <RoleBadge name={name} />
  </AppLink>
);
