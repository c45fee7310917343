import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { isWithin, parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { RolesHeld } from "~/domains/access/current-user/roles-held";
import { useNow } from "~/ui/clock";
import { Section } from "~/ui/display/section";

import { overviewOf } from "./your-permissions";

const DAY_MS = 86_400_000;
/** Days before its end in which the home page names a role. */
const SOON_DAYS = 14;

/** Roles of the user that end soon, in a scope: those there and below, and those further up that count there. */
export function endingSoon(
  bindings: readonly RoleBinding[],
  group: string | undefined,
  now: number,
): RoleBinding[] {
  const endOf = ({ expirationTime = "" }: RoleBinding): number => Date.parse(expirationTime);
  return bindings
    .filter((binding) => {
      const at = parentOf(binding.uid);
      const end = endOf(binding);
      return (
        end > now &&
        end <= now + SOON_DAYS * DAY_MS &&
        (group === undefined || isWithin(at, group) || isWithin(group, at))
      );
    })
    .toSorted((one, other) => endOf(one) - endOf(other));
}

/** Which of the user's access ends soon; nothing if none does. */
export function EndingAccess({ group }: { readonly group: string | undefined }): ReactNode {
  const { bindings, roles } = useCurrentUser();
  const ending = endingSoon(bindings, group, useNow(60));
  if (ending.length === 0) return null;
  return (
    <Section
      title="Your access ends soon"
      count={ending.length}
      description="Ask those who gave it to you if you need it for longer."
    >
      <RolesHeld bindings={ending} roles={roles} linkTo={overviewOf} />
    </Section>
  );
}
