import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { AppLink, type LinkTarget } from "~/ui/layout/link";
import { ExpiryBadge } from "~/ui/display/expiry";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";

import styles from "./roles-held.module.css";

/** Roles and the groups they are held at; each covers everything below its group. */
export function RolesHeld(props: {
  readonly bindings: readonly RoleBinding[];
  /** The readable roles of the bindings. */
  readonly roles: readonly Role[];
  readonly linkTo: (group: string) => LinkTarget;
  /** The group being viewed: roles held above it are labeled "from" their group. */
  readonly at?: string | undefined;
  /** Called when a link is followed, to close whatever covers the screen. */
  readonly onFollow?: () => void;
}): ReactNode {
  const { bindings, roles, linkTo, at, onFollow } = props;
  const known = new Map(roles.map((role) => [role.uid, role]));
  return (
    <ul className={styles["list"]}>
      {bindings.map((binding) => {
        const { uid, role, group } = binding;
        const roleUid = roleUidOf(binding);
        const groupUid = parentOf(uid);
        const { name = "", description, capabilities } = { ...role, ...known.get(roleUid) };
        const facts = [
          roleWords({ uid: roleUid, name, description }),
          capabilities && formatQuantity(capabilities.length, "capability", "capabilities"),
        ];
        return (
          <li key={uid} className={styles["item"]}>
            <RoleBadge name={name || shorten(roleUid)} />
            <span className={styles["where"]}>{at === undefined || at === groupUid ? "at" : "from"}</span>
            <AppLink target={linkTo(groupUid)} onClick={onFollow}>
              <bdi>{group?.name || shorten(groupUid)}</bdi>
            </AppLink>
            {binding.expirationTime ? (
              <span className={styles["where"]}>
                ends <Time value={binding.expirationTime} /> <ExpiryBadge value={binding.expirationTime} />
              </span>
            ) : null}
            {facts.some(Boolean) && (
              <span className={styles["note"]}>{facts.filter(Boolean).join(" \u00b7 ")}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface OwnRolesProps {
  readonly linkTo: (group: string) => LinkTarget;
  readonly onFollow?: () => void;
}

/** The roles of the signed-in user everywhere, or why they aren't known. */
export function OwnRoles(props: OwnRolesProps): ReactNode {
  const { state, identityUid, bindings, roles } = useCurrentUser();
  if (state === "loading") return <p className={styles["none"]}>Loading{"\u2026"}</p>;
  if (state === "unknown")
    return (
      <p className={styles["none"]}>
        {identityUid === undefined
          ? "Your roles are unknown: the service didn't say which identity is yours."
          : "Your roles couldn't be loaded."}
      </p>
    );
  if (bindings.length === 0) return <p className={styles["none"]}>No roles</p>;
  return <RolesHeld bindings={bindings} roles={roles} {...props} />;
}
