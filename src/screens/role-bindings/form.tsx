import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import { roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import type { FormProps } from "~/resource/form/drawers";
import { useRecordForm } from "~/resource/form/use-record-form";
import { DefinitionList } from "~/ui/display/definition-list";
import { FormDrawer } from "~/ui/form/form-drawer";

import { groupNameOf, identityUidOf, whoOf } from "~/features/access/bindings";
import { roleBindingScreens } from "./data";
import { RoleField } from "~/features/access/role-field";

const valuesOf = (record: RoleBinding | undefined) => ({
  identityUid: record ? identityUidOf(record) : "",
  roleUid: record ? roleUidOf(record) : "",
});
const bodyOf = ({ identityUid, roleUid }: ReturnType<typeof valuesOf>) => ({ identityUid, roleUid });

/** Changes an identity's role in the same group. */
export function ChangeRole(props: FormProps<RoleBinding> & { readonly record: RoleBinding }): ReactNode {
  const { record } = props;
  const drawer = useRecordForm(roleBindingScreens, { ...props, values: valuesOf, body: bodyOf });
  return (
    <FormDrawer {...drawer} title="Change role">
      <DefinitionList
        items={[
          { term: "Identity", value: <bdi>{whoOf(record)}</bdi> },
          { term: "Folder", value: <bdi>{groupNameOf(record)}</bdi> },
        ]}
      />
      <RoleField group={parentOf(record.uid)} current={record.role} />
    </FormDrawer>
  );
}
