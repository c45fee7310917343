import type { ReactNode } from "react";

import type { Role } from "~/contract/iam/roles";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { LinesField } from "~/ui/form/lines-field";
import { ParentGroupField } from "~/resource/parent-group-field";
import { useParentOptions } from "~/features/scope/use-parent-options";
import type { FormProps } from "~/resource/drawers";
import { useRecordForm } from "~/resource/use-record-form";

import { roleScreens } from "./data";

const valuesOf = (record: Role | undefined) => ({
  name: record?.name ?? "",
  description: record?.description ?? "",
  capabilities: [...(record?.capabilities ?? [])],
});
const bodyOf = ({ name, description, capabilities }: ReturnType<typeof valuesOf>) => ({
  name: name.trim(),
  description: description.trim(),
  capabilities,
});

/** Creates a role, or changes one. */
export function RoleForm(props: FormProps<Role>): ReactNode {
  const { record, scope } = props;
  const drawer = useRecordForm(roleScreens, { ...props, values: valuesOf, body: bodyOf });
  const homes = useParentOptions(scope);
  return (
    <FormDrawer {...drawer}>
      <TextField name="name" label="Name" required hint="1 to 63 characters." />
      {record ? null : <ParentGroupField scope={scope} homes={homes} />}
      <TextAreaField name="description" label="Description" rows={2} hint="What whoever holds it is for." />
      <LinesField
        name="capabilities"
        label="Capabilities"
        required
        rows={12}
        hint="One on each line. Only what you hold yourself at its group."
      />
    </FormDrawer>
  );
}
