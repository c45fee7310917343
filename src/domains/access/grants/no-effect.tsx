import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { reaches } from "./reach";
import { Badge } from "~/ui/display/badge";

import { identityUidOf } from "./bindings";

export const NO_EFFECT = "No effect here";

/** False if the identity belongs to a folder and the role is granted outside of it. */
export const takesEffect = (binding: RoleBinding): boolean =>
  reaches(identityUidOf(binding), parentOf(binding.uid));

/** Marks a role binding that grants nothing. */
export const NoEffectBadge = ({ of }: { readonly of: RoleBinding }): ReactNode =>
  takesEffect(of) ? null : <Badge tone="warning">{NO_EFFECT}</Badge>;
