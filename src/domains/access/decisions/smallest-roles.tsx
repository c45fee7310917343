import type { ReactNode } from "react";

import { capabilityWords } from "~/domains/access/grants/capability-words";
import { mostOf, purposesOf } from "~/domains/access/roles/abilities";
import { RoleLink } from "~/domains/access/roles/role-link";
import { shorten } from "~/ui/display/shorten";
import type { Remedy } from "platform-contract/iam/access-decisions";

import classes from "./styles.module.css";

/** How the roles that are shown were chosen from all that the user can see. */
export const orderWords = (shown: readonly Remedy[], all: readonly Remedy[]): string =>
  shown.length > 1
    ? `The roles that allow the fewest other changes come first, then those that give the fewest capabilities. Roles that you can\u2019t see${shown.length < all.length ? ", or that would let them manage access too," : ""} aren\u2019t listed.`
    : all.length > 1
      ? "The smallest that you can see is listed."
      : "No other role that you can see would.";

/** Without the roles that would let them manage access besides, if there are others. */
export function withoutManaging(remedies: readonly Remedy[]): readonly Remedy[] {
  const smaller = remedies.filter(({ adds = [] }) => mostOf(adds) !== "manages");
  return smaller.length > 0 ? smaller : remedies;
}

interface RolesProps {
  readonly remedies: readonly Remedy[];
  readonly action: (remedy: Remedy) => ReactNode;
}

/** Roles, and what each would give besides. */
export function Roles({ remedies, action }: RolesProps): ReactNode {
  return (
    <ul className={classes["bindings"]}>
      {remedies.map((remedy) => {
        const { role, roleName, adds = [] } = remedy;
        return (
          <li key={role}>
            <RoleLink uid={role} name={roleName ?? shorten(role)} />{" "}
            {adds.length === 0 ? (
              "gives nothing else"
            ) : (
              <details className={classes["adds"]}>
                <summary>also gives {purposesOf(adds)}</summary>
                <bdi>{adds.map(capabilityWords).join(", ")}</bdi>
              </details>
            )}{" "}
            {action(remedy)}
          </li>
        );
      })}
    </ul>
  );
}
