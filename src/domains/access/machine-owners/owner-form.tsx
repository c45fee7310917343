import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";

import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCan } from "~/frame/permissions/use-can";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { parentOf } from "platform-contract/aip";
import { setMachineOwner } from "platform-contract/iam/notices";
import type { Identity } from "platform-contract/iam/identities";
import { GroupLink } from "~/frame/scope/group-link";
import { FormDrawer } from "~/ui/form/form-drawer";
import fields from "~/ui/form/fields.module.css";
import { NothingToSave } from "~/ui/form/nothing-to-save";
import { useFieldError } from "~/ui/form/use-field";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { toast } from "~/ui/feedback/toast-store";
import choosing from "~/domains/access/grants/choosing.module.css";

import { useMachineOwner } from "./data";
import { PersonField } from "./person-field";

const values = z.object({ ownerUid: z.string() });

interface OwnerFormProps {
  readonly machine: Identity;
  readonly onClose: () => void;
}

/** Changes who answers for a machine, once it is known who does now. */
export function OwnerForm(props: OwnerFormProps): ReactNode {
  const { known, owner } = useMachineOwner(props.machine.uid);
  return known ? <Form {...props} now={owner?.ownerUid ?? ""} /> : null;
}

function Form({ machine, onClose, now }: OwnerFormProps & { readonly now: string }): ReactNode {
  const client = useQueryClient();
  const { uid, name } = machine;
  // The owner when the form was filled.
  const [opened] = useState(now);
  const form = useResourceForm({ schema: values, defaultValues: { ownerUid: opened } });
  const { reason } = useCan(setMachineOwner, uid);
  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={
        <>
          Owner of <bdi>{name}</bdi>
        </>
      }
      submitLabel="Set owner"
      disabled={reason}
      behind={
        <FormRequests form={form} requests={(body) => [{ endpoint: setMachineOwner, path: { uid }, body }]} />
      }
      onSubmit={(body) => {
        if (body.ownerUid === opened) throw new NothingToSave();
        return call(setMachineOwner, { path: { uid }, body });
      }}
      onSaved={() => {
        invalidateDependents(client, ["machineOwners", "endings"]);
        onClose();
        toast(`Set owner of ${name}`);
      }}
    >
      <OwnerField />
      <p className={fields["hint"]}>
        Without an owner, the owners of <GroupLink uid={parentOf(uid)} /> answer for it, or those of the
        nearest folder above that has any.
      </p>
    </FormDrawer>
  );
}

function OwnerField(): ReactNode {
  const { field } = useController({ name: "ownerUid" });
  const error = useFieldError("ownerUid");
  return (
    <div role="group" aria-label="Owner" className={choosing["who"]}>
      <span className={fields["label"]}>Owner</span>
      <p className={fields["hint"]}>
        A person with a role in this organization. They are told before keys and roles of this machine end,
        and get no access by this.
      </p>
      <PersonField
        value={field.value}
        onChange={field.onChange}
        invalid={error !== undefined}
        input={field.ref}
      />
      {error ? <div className={fields["message"]}>{error}</div> : null}
    </div>
  );
}
