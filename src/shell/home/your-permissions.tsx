import { CheckIcon, XIcon } from "lucide-react";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan, useRefusal } from "~/frame/permissions/use-can";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { isWithin, parentOf } from "platform-contract/aip";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { Dash } from "~/ui/display/dash";
import { AskForAccess } from "~/domains/access/access-requests/ask-for-access";
import { heldAt } from "~/domains/access/grants/roles";
import { OwnRoles, RolesHeld } from "~/domains/access/current-user/roles-held";
import { uidToParam } from "~/frame/scope/uid-param";

import { ACCESS_ROWS, VERBS, type Guarded } from "./access-rows";
import styles from "./styles.module.css";

const COLUMNS = ["View", "Create", "Edit", "Delete"];

/** Links to the home page of a group. */
export const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

/** Shows the caller's roles at a group, where they come from, and the resulting permissions. */
export function YourPermissions({ uid }: { readonly uid: string }): ReactNode {
  const who = useCurrentUser();
  const { allowed: grants } = useCan(roleBindings.create, uid);
  const here = who.bindings.filter((binding) => isWithin(uid, parentOf(binding.uid)));
  if (who.state === "loading") return <p className={styles["waiting"]}>Loading{"\u2026"}</p>;
  const below = who.bindings.filter(
    ({ uid: binding }) => parentOf(binding) !== uid && isWithin(parentOf(binding), uid),
  );
  if (here.length === 0 && below.length > 0)
    return (
      <>
        <InFoldersBelow bindings={below} />
        <AskForAccess group={uid} more />
      </>
    );
  if (here.length === 0)
    return (
      <p>
        We couldn't read your roles here. You can still try any action; you'll be told if it isn't allowed.
      </p>
    );
  return (
    <div className={styles["columns"]}>
      <div>
        <RolesHeld bindings={here} roles={who.roles} linkTo={overviewOf} at={uid} />
        {below.length > 0 ? <InFoldersBelow bindings={below} more /> : null}
        {grants ? null : <AskForAccess group={uid} more />}
      </div>
      <div className={styles["scroll"]} tabIndex={0} role="region" aria-label="Your permissions">
        <table className={styles["may"]}>
          <thead>
            <tr>
              <td />
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ACCESS_ROWS.map(({ label, methods }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {VERBS.map((verb) => {
                  const endpoint = methods[verb];
                  return endpoint ? (
                    <Answer key={verb} endpoint={endpoint} uid={uid} />
                  ) : (
                    <td key={verb}>
                      <Dash label="not possible" />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface AccessEverywhereProps {
  /** The topmost groups that the caller can see. */
  readonly tops: readonly { readonly uid: string; readonly name: string }[];
}

/** The caller's roles in everything that they can see, and where they can ask for more. */
export function AccessEverywhere({ tops }: AccessEverywhereProps): ReactNode {
  const refusal = useRefusal();
  const { state } = useCurrentUser();
  const limited =
    state === "known" ? tops.filter(({ uid }) => refusal(roleBindings.create, uid) !== undefined) : [];
  return (
    <>
      <OwnRoles linkTo={overviewOf} />
      {limited.length > 0 ? (
        <div className={styles["asks"]}>
          {limited.map(({ uid, name }) => (
            <AskForAccess key={uid} group={uid} name={name} more />
          ))}
        </div>
      ) : null}
    </>
  );
}

interface InFoldersBelowProps {
  readonly bindings: readonly RoleBinding[];
  /** True if they are besides those that count here. */
  readonly more?: boolean;
}

/** Roles that count only further down. */
function InFoldersBelow({ bindings, more = false }: InFoldersBelowProps): ReactNode {
  const { roles } = useCurrentUser();
  return (
    <>
      <p>{more ? "Also, only in folders below:" : "You have no role here, only in folders below:"}</p>
      <RolesHeld bindings={bindings} roles={roles} linkTo={overviewOf} />
    </>
  );
}

function Answer({ endpoint, uid }: { readonly endpoint: Guarded; readonly uid: string }): ReactNode {
  const { allowed, reason } = useCan(endpoint, uid);
  const held = heldAt(useCurrentUser(), uid);
  // A list at a group shows what a role further down shows of it.
  const onlyBelow = allowed && held !== undefined && !endpoint.access.needs.every((one) => held.has(one));
  return (
    <td>
      <span className={styles[allowed ? "yes" : "no"]} data-tip={reason}>
        {allowed ? <CheckIcon size={16} /> : <XIcon size={16} />}
        {onlyBelow ? "In folders below" : allowed ? "Yes" : "No"}
      </span>
    </td>
  );
}
