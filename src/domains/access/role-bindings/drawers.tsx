import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { paramToUid } from "~/frame/scope/uid-param";
import { Drawers, type DrawersProps, type FormProps } from "~/frame/form/drawers";

import { roleBindingScreens, type RoleBindingSearch } from "./data";
import { DeleteRoleBinding } from "./delete";
import { ChangeRole } from "./form";
import { GrantForm } from "./grant-form";

export { GrantForm } from "./grant-form";

export const RoleBindingDrawers = (props: DrawersProps<RoleBinding>): ReactNode => (
  <Drawers {...props} of={roleBindingScreens} form={RoleBindingForm} remove={DeleteRoleBinding} />
);

function RoleBindingForm({ record, scope, onClose }: FormProps<RoleBinding>): ReactNode {
  // In a list filtered by an identity or a role, the form starts with that one.
  const { identity, role }: RoleBindingSearch = useSearch({ strict: false });
  if (record) return <ChangeRole record={record} onClose={onClose} />;
  return (
    <GrantForm
      scope={scope}
      identities={identity ? [paramToUid(identity)] : []}
      role={role && paramToUid(role)}
      onClose={onClose}
    />
  );
}
