import { type ReactNode, useState } from "react";
import { useRouteContext } from "@tanstack/react-router";
import * as z from "zod/mini";

import { type GroupInvite, groupInvites } from "platform-contract/iam/group-invites";
import { Drawers, type DrawersProps, type DeleteProps } from "~/frame/form/drawers";
import { JustificationField } from "~/frame/form/justification-field";
import { RecordLoader } from "~/frame/form/record-loader";
import { DeleteRecord } from "~/frame/record/delete-record";
import { useCan } from "~/frame/permissions/use-can";
import { useCreate, useDelete } from "~/api/mutations/writes";
import { parentOf } from "platform-contract/aip";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { DefinitionList } from "~/ui/display/definition-list";
import { CheckboxField, SelectField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { invitedRoleOf } from "~/domains/access/grants/sent-invites";

import { groupInviteScreens, forWhom, LIFETIMES, lifetimeOf } from "./data";
import { GroupInviteForm } from "./form";
import { InviteCode } from "./invite-code";

const values = z.object({ ttl: z.string(), sendEmail: z.boolean(), justification: z.string() });
type Values = z.infer<typeof values>;

/** The new invite, and the error if the old one could not be revoked. */
interface Reissued {
  readonly made: GroupInvite;
  readonly left?: unknown;
}

/** Creates a new invite with the settings of an old one, then revokes that: its code cannot be shown again. */
function ReissueForm({ record, onClose, onDeleted }: DeleteProps<GroupInvite>): ReactNode {
  const { uid, roleUid = "", email, singleUse } = record;
  const form = useResourceForm({
    schema: values,
    defaultValues: { ttl: lifetimeOf(record), sendEmail: false, justification: "" },
  });
  const create = useCreate(groupInvites);
  const remove = useDelete(groupInvites);
  const [done, setDone] = useState<Reissued>();
  const { reason } = useCan(groupInvites.create, uid);
  const revoke = async (made: GroupInvite): Promise<Reissued> =>
    remove.mutateAsync({ uid, justification: form.getValues("justification") }).then(
      () => ({ made }),
      (left: unknown) => ({ made, left }),
    );
  const { config } = useRouteContext({ from: "__root__" });
  const bodyOf = ({ ttl, sendEmail }: Values) => ({
    roleUid,
    ttl,
    ...(email && { email }),
    ...(singleUse && { singleUse }),
    ...(sendEmail && { sendEmail }),
  });
  const submit = async (given: Values) =>
    revoke(
      await create.mutateAsync({
        parent: parentOf(uid),
        body: bodyOf(given),
        justification: given.justification,
      }),
    );
  if (done)
    return (
      <InviteCode
        invite={done.made}
        left={done.left}
        onRevoke={async () => setDone(await revoke(done.made))}
        onClose={done.left === undefined ? onDeleted : onClose}
      />
    );
  return (
    <FormDrawer
      title="Re-issue invite"
      submitLabel="Re-issue invite"
      savingLabel="Re-issuing"
      opened
      form={form}
      disabled={reason}
      onClose={onClose}
      behind={
        <FormRequests
          form={form}
          requests={(given) => [
            {
              endpoint: groupInvites.create,
              path: { parent: parentOf(uid) },
              body: bodyOf(given),
              justification: given.justification,
            },
            { endpoint: groupInvites.delete, path: { uid }, justification: given.justification },
          ]}
        />
      }
      onSubmit={submit}
      onSaved={setDone}
    >
      <p>Creates a new link with the same settings, then revokes the old one.</p>
      <DefinitionList
        items={[
          { term: "For", value: <bdi>{forWhom(record)}</bdi> },
          { term: "Role", value: <bdi>{invitedRoleOf(record)}</bdi> },
          { term: "Uses", value: singleUse ? "One person, once" : "Any number of people" },
        ]}
      />
      <SelectField name="ttl" label="Lifetime" required options={LIFETIMES} hint="Counted from now." />
      {config.mail && email ? (
        <CheckboxField name="sendEmail" label="Mail the new link to this address" />
      ) : null}
      <JustificationField />
    </FormDrawer>
  );
}

/** Confirms the revocation of an invite. */
const DeleteGroupInvite = (props: DeleteProps<GroupInvite>): ReactNode => (
  <DeleteRecord
    of={groupInviteScreens}
    {...props}
    consequence="Its link stops working immediately. People who already joined keep their access."
  />
);

export function GroupInviteDrawers(props: DrawersProps<GroupInvite>): ReactNode {
  const { drawer, item, onClose, onDeleted } = props;
  if (drawer !== "reissue")
    return <Drawers {...props} of={groupInviteScreens} form={GroupInviteForm} remove={DeleteGroupInvite} />;
  return (
    <RecordLoader noun="invite" uid={item} query={groupInviteScreens.record} onClose={onClose}>
      {(record) => <ReissueForm record={record} onClose={onClose} onDeleted={() => onDeleted(record.uid)} />}
    </RecordLoader>
  );
}
