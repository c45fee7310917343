import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import type { GroupInvite } from "platform-contract/iam/group-invites";
import type { InputOf } from "platform-contract/resource";
import type { groupInvites } from "platform-contract/iam/group-invites";
import type { FormProps } from "~/frame/form/drawers";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { RoleField } from "~/domains/access/grants/role-field";
import { CheckboxField, SelectField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";

import { groupInviteScreens, LIFETIMES } from "./data";
import { InviteCode } from "./invite-code";

const WEEK = LIFETIMES[3].value;

const valuesOf = (record: GroupInvite | undefined) => ({
  roleUid: record?.roleUid ?? "",
  // An existing invite keeps its lifetime unless the user changes it.
  ttl: record ? "" : WEEK,
  email: record?.email ?? "",
  singleUse: record ? record.singleUse === true : true,
  sendEmail: false,
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = ({ roleUid, ttl, email, singleUse, sendEmail }: Values): InputOf<typeof groupInvites> =>
  ({
    roleUid,
    email: email.trim() || undefined,
    singleUse: singleUse || undefined,
    ...(ttl && { ttl }),
    ...(sendEmail && { sendEmail }),
  }) as InputOf<typeof groupInvites>;

const problems = ({ email, sendEmail }: Values) =>
  sendEmail && email.trim() === ""
    ? [{ field: "email", description: "Enter the address to mail it to" }]
    : [];

/** Creates an invite and shows its code once, or edits one. */
export function GroupInviteForm(props: FormProps<GroupInvite>): ReactNode {
  const { record, scope, onClose } = props;
  const [made, setMade] = useState<GroupInvite>();
  const drawer = useRecordForm(groupInviteScreens, { ...props, values: valuesOf, body: bodyOf, problems });
  const chosen = useWatch({ control: drawer.form.control, name: "parent" });
  const { config } = useRouteContext({ from: "__root__" });
  const mails = config.mail && !record;
  const group = record ? parentOf(record.uid) : chosen;
  if (made) return <InviteCode invite={made} onClose={onClose} />;
  return (
    <FormDrawer {...drawer} onSaved={(saved) => (record ? drawer.onSaved(saved) : setMade(saved))}>
      {record ? null : <ParentGroupField scope={scope} />}
      <RoleField group={group} current={record?.role} />
      <SelectField
        name="ttl"
        label="Lifetime"
        required={!record}
        options={[...(record ? [{ value: "", label: "Keep as is" }] : []), ...LIFETIMES]}
        hint={record ? "Counted from now." : "The link stops working after that."}
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        hint="Only an account with this email can join, but people can claim any: send the link privately."
      />
      {mails ? <CheckboxField name="sendEmail" label="Mail the link to this address" /> : null}
      <CheckboxField name="singleUse" label="Single use" hint="Only one person can join." />
    </FormDrawer>
  );
}
