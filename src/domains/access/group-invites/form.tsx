import { useRouteContext } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import { groupInvites, type GroupInvite } from "platform-contract/iam/group-invites";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";
import { violationsOf } from "platform-contract/violations";
import { useCreate } from "~/api/mutations/writes";
import type { FormProps } from "~/frame/form/drawers";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { AppliesTo } from "~/domains/access/grants/applies-to";
import { RoleField } from "~/domains/access/grants/role-field";
import { CheckboxField, SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { refusalFacts } from "~/frame/form/refusal-facts";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FormDrawer } from "~/ui/form/form-drawer";

import { groupInviteScreens, LIFETIMES } from "./data";
import { addressesIn } from "./addresses";
import { InviteCode } from "./invite-code";
import { InviteLinks, type FailedInvite } from "./invite-links";

/** Redeeming compares the account's email, ignoring case; it needn't be confirmed (docs/decisions/invites.md). */
const WHO_JOINS =
  "Joining needs an account with this email. Emails aren't verified, so anyone with the link could make one: send it privately.";

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
type Input = InputOf<typeof groupInvites>;

const bodyOf = ({ roleUid, ttl, email, singleUse, sendEmail }: Values): Input =>
  ({
    roleUid,
    // Several are sent one by one.
    email: addressesIn(email)[0],
    singleUse: singleUse || undefined,
    ...(ttl && { ttl }),
    ...(sendEmail && { sendEmail }),
  }) as Input;

/** Of the addresses after the first, which is checked as the one of the request. */
const problems = (values: Values): FieldViolation[] => {
  const [first, ...others] = addressesIn(values.email);
  if (values.sendEmail && first === undefined)
    return [{ field: "email", description: "Enter the address to mail it to" }];
  return others.flatMap((email) =>
    violationsOf(groupInvites.request, bodyOf({ ...values, email }))
      .filter(({ field }) => field === "email")
      .map(({ field, description }) => ({ field, description: `“${email}” ${description}` })),
  );
};

/** What became of several addresses. */
interface Several {
  readonly invites: readonly GroupInvite[];
  readonly failed: readonly FailedInvite[];
}

/** Creates an invite for each address and shows their codes once, or edits one. */
export function GroupInviteForm(props: FormProps<GroupInvite>): ReactNode {
  const { record, scope, onClose } = props;
  const [made, setMade] = useState<GroupInvite>();
  const [several, setSeveral] = useState<Several>();
  const all = useRef<Several>(undefined);
  const drawer = useRecordForm(groupInviteScreens, { ...props, values: valuesOf, body: bodyOf, problems });
  const [chosen, typed] = useWatch({ control: drawer.form.control, name: ["parent", "email"] });
  const { config } = useRouteContext({ from: "__root__" });
  const mails = config.mail && !record;
  const group = record ? parentOf(record.uid) : chosen;
  const { mutateAsync } = useCreate(groupInvites);
  if (made) return <InviteCode invite={made} onClose={onClose} />;
  if (several) {
    const goBack = () => {
      all.current = undefined;
      drawer.form.setValue("email", several.failed.map(({ email }) => email).join("\n"));
      setSeveral(undefined);
    };
    return (
      <InviteLinks
        invites={several.invites}
        failed={several.failed}
        onAgain={goBack}
        onClose={several.failed.length > 0 ? goBack : onClose}
      />
    );
  }
  const requests = (values: Parameters<typeof drawer.requests>[0]) =>
    drawer.requests(values).flatMap((request) => {
      const [, ...others] = record ? [] : addressesIn(values.email);
      return [request, ...others.map((email) => ({ ...request, body: bodyOf({ ...values, email }) }))];
    });
  /** The first that was made; fails if none was. */
  const inviteAll = async (body: Input, emails: readonly string[]): Promise<GroupInvite> => {
    const invites: GroupInvite[] = [];
    const justification = drawer.form.getValues("justification");
    const failed: { readonly email: string; readonly error: unknown }[] = [];
    for (const email of emails)
      try {
        invites.push(await mutateAsync({ parent: chosen, body: { ...body, email }, justification }));
      } catch (error) {
        failed.push({ email, error });
      }
    const [first] = invites;
    if (!first) throw refusalFacts(failed[0]?.error, chosen);
    all.current = {
      invites,
      failed: failed.map(({ email, error }) => ({ email, message: errorFacts(error).message })),
    };
    return first;
  };
  const { onCheck } = drawer;
  /** Of several addresses, each is checked; the first that would be refused is named. */
  const checkAll = async (body: Input): Promise<void> => {
    const emails = record ? [] : addressesIn(drawer.form.getValues("email"));
    if (emails.length < 2) return onCheck?.(body);
    for (const email of emails)
      // oxlint-disable-next-line no-await-in-loop -- the first refusal ends it
      await onCheck?.({ ...body, email }).catch((error: unknown) => {
        const { message, violations, ...facts } = errorFacts(error);
        const named = violations.map(({ field, description }) => ({
          field,
          description: `“${email}”: ${description}`,
        }));
        throw { ...facts, message: `“${email}”: ${message}`, violations: named };
      });
  };
  const count = record ? 1 : addressesIn(typed).length;
  return (
    <FormDrawer
      {...drawer}
      submitLabel={count > 1 ? `Create ${count} invites` : drawer.submitLabel}
      behind={<FormRequests form={drawer.form} requests={requests} />}
      onCheck={onCheck && checkAll}
      onSubmit={(body) => {
        const emails = record ? [] : addressesIn(drawer.form.getValues("email"));
        return emails.length > 1 ? inviteAll(body, emails) : drawer.onSubmit(body);
      }}
      onSaved={(saved) => {
        if (record) drawer.onSaved(saved);
        else if (all.current) setSeveral(all.current);
        else setMade(saved);
      }}
    >
      {record ? null : <ParentGroupField scope={scope} create={groupInvites.create} />}
      <RoleField group={group} current={record?.role} />
      <AppliesTo group={group} />
      <SelectField
        name="ttl"
        label="Lifetime"
        required={!record}
        options={[...(record ? [{ value: "", label: "Keep as is" }] : []), ...LIFETIMES]}
        hint={record ? "Counted from now." : "The link stops working after that."}
      />
      {record ? (
        <TextField name="email" label="Email" type="email" hint={WHO_JOINS} />
      ) : (
        <TextAreaField
          name="email"
          label="Email"
          rows={3}
          hint={`${WHO_JOINS} Several addresses, one per line or with commas, get a link each.`}
        />
      )}
      {mails ? <CheckboxField name="sendEmail" label="Mail the link to this address" /> : null}
      <CheckboxField name="singleUse" label="Single use" hint="Only one person can join." />
      <JustificationField />
    </FormDrawer>
  );
}
