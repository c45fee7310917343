import type { ReactNode } from "react";

import { GroupLink, placeWord } from "~/frame/scope/group-link";
import { parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { groupNameOf, identityUidOf, roleNameOf } from "./bindings";
import { bindingPage, createIdentityIn } from "./links";
import { takesEffect } from "./no-effect";

interface WithoutEffectProps {
  readonly bindings: readonly RoleBinding[];
  /** True on the page of the only one, which needs no link to itself. */
  readonly own?: boolean;
}

/** Which roles of a machine have no effect, why, and what to do; nothing if all of these have one. */
export function WithoutEffect({ bindings, own = false }: WithoutEffectProps): ReactNode {
  const idle = bindings.filter((binding) => !takesEffect(binding));
  const [first] = idle;
  if (!first) return null;
  const home = parentOf(identityUidOf(first));
  const places = [...new Set(idle.map(({ uid }) => parentOf(uid)))];
  return (
    <Notice
      tone="warning"
      title={
        own
          ? "This role has no effect"
          : idle.length === 1
            ? "One role has no effect"
            : `${idle.length} roles have no effect`
      }
    >
      {(own ? [] : idle).map((binding) => (
        <p key={binding.uid}>
          <AppLink target={bindingPage(binding.uid)}>
            <bdi>{roleNameOf(binding)}</bdi> in {placeWord(parentOf(binding.uid)).toLowerCase()}{" "}
            <bdi>{groupNameOf(binding)}</bdi>
          </AppLink>
        </p>
      ))}
      <p>
        This machine belongs to <GroupLink uid={home} />, and a machine can only act in its own folder and
        below. Remove {idle.length === 1 ? "the role" : "these roles"}, or create another identity where it is
        needed and grant it the role there:{" "}
        {places.map((place, index) => (
          <span key={place}>
            {index === 0 ? "" : ", "}
            <AppLink target={createIdentityIn(place)}>
              create identity in{" "}
              <bdi>{groupNameOf(idle.find(({ uid }) => parentOf(uid) === place) ?? first)}</bdi>
            </AppLink>
          </span>
        ))}
        .
      </p>
    </Notice>
  );
}
