import { useEffect, type ReactNode } from "react";
import { useFormContext } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { FieldViolation } from "platform-contract/status";
import type { FormProps } from "~/frame/form/drawers";
import { JustificationField } from "~/frame/form/justification-field";
import { useRecordForm, type OpenedRecord } from "~/frame/form/use-record-form";
import { DefinitionList } from "~/ui/display/definition-list";
import { FormDrawer } from "~/ui/form/form-drawer";

import { groupNameOf, identityUidOf, whoOf } from "~/domains/access/grants/bindings";
import { EndField, newEndProblem, useOwnEnd } from "~/domains/access/grants/end-field";
import { roleBindingScreens } from "./data";
import { RoleField } from "~/domains/access/grants/role-field";

const valuesOf = (record: RoleBinding | undefined) => ({
  identityUid: record ? identityUidOf(record) : "",
  roleUid: record ? roleUidOf(record) : "",
  expirationTime: record?.expirationTime ?? "",
});
type Values = ReturnType<typeof valuesOf>;
const bodyOf = ({ identityUid, roleUid, expirationTime }: Values) => ({
  identityUid,
  roleUid,
  ...(expirationTime && { expirationTime }),
});

const endOf = (values: Values | undefined): number =>
  values?.expirationTime ? Date.parse(values.expirationTime) : Infinity;

/** Chooses a role in the form once it is open: a change like one by hand. */
function Chosen({ role }: { readonly role: string }): ReactNode {
  const { setValue } = useFormContext<Values>();
  useEffect(() => setValue("roleUid", role, { shouldDirty: true }), [role, setValue]);
  return null;
}

interface ChangeRoleProps extends FormProps<RoleBinding> {
  readonly record: RoleBinding;
  /** uid of a role that is proposed. */
  readonly to?: string;
}

/** Changes an identity's role in the same group, or until when it has it. */
export function ChangeRole({ to, ...props }: ChangeRoleProps): ReactNode {
  const { record } = props;
  const group = parentOf(record.uid);
  const ownEnd = useOwnEnd(group);
  const problems = (
    next: Values,
    before: OpenedRecord<RoleBinding, Values> | undefined,
  ): FieldViolation[] => {
    const was = before?.values;
    if (next.expirationTime === was?.expirationTime) return [];
    const sooner = endOf(next) < endOf(was);
    const description = newEndProblem(next.expirationTime, sooner ? undefined : ownEnd);
    return description === undefined ? [] : [{ field: "expirationTime", description }];
  };
  const drawer = useRecordForm(roleBindingScreens, { ...props, values: valuesOf, body: bodyOf, problems });
  return (
    <FormDrawer {...drawer} title="Change role">
      <DefinitionList
        items={[
          { term: "Identity", value: <bdi>{whoOf(record)}</bdi> },
          { term: "Folder", value: <bdi>{groupNameOf(record)}</bdi> },
        ]}
      />
      {to === undefined ? null : <Chosen role={to} />}
      <RoleField group={group} current={record.role} />
      <EndField group={group} />
      <JustificationField />
    </FormDrawer>
  );
}
