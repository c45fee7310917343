import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { isWithin, parentOf, rootOf } from "platform-contract/aip";
import { roleUidOf } from "platform-contract/iam/role-bindings";
import { by } from "platform-contract/order";
import { shorten } from "~/ui/display/shorten";

import { placeWord } from "./group-link";

const SHOWN = 3;

/** "You have viewer in folder python": the user's roles, those nearest to a group first; nothing if none is known. */
export function YourRoles({ group = "" }: { readonly group?: string | undefined }): ReactNode {
  const { bindings } = useCurrentUser();
  const near = (uid: string): number =>
    group === "" ? 0 : isWithin(group, uid) ? 0 : rootOf(group) === rootOf(uid) ? 1 : 2;
  const held = bindings.toSorted(
    by(
      ({ uid }) => near(parentOf(uid)),
      ({ uid }) => uid,
    ),
  );
  const rest = held.length - SHOWN;
  return held.length === 0 ? null : (
    <p>
      You have{" "}
      {held.slice(0, SHOWN).map((binding, index) => {
        const place = parentOf(binding.uid);
        return (
          <span key={binding.uid}>
            {index === 0 ? "" : ", "}
            <bdi>{binding.role?.name || shorten(roleUidOf(binding))}</bdi> in {placeWord(place).toLowerCase()}{" "}
            <bdi>{binding.group?.name || shorten(place)}</bdi>
          </span>
        );
      })}
      {rest > 0 ? ` and ${rest} more` : null}.
    </p>
  );
}
