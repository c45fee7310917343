import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { useController, useWatch } from "react-hook-form";
import * as z from "zod/mini";

import { sendCreate } from "~/api/mutations/send-create";
import type { UnconfirmedCreate } from "~/api/mutations/unconfirmed-create";
import choosing from "~/domains/access/grants/choosing.module.css";
import { EndField, newEndProblem, useOwnEnd } from "~/domains/access/grants/end-field";
import { RoleField } from "~/domains/access/grants/role-field";
import { PersonField } from "~/domains/access/machine-owners/person-field";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useCan } from "~/frame/permissions/use-can";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { eligibleGrants, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import type { InputOf } from "platform-contract/resource";
import { toast } from "~/ui/feedback/toast-store";
import { CheckboxField, SelectField, TextAreaField } from "~/ui/form/fields";
import fields from "~/ui/form/fields.module.css";
import { FormDrawer } from "~/ui/form/form-drawer";
import { useFieldError } from "~/ui/form/use-field";
import { useResourceForm } from "~/ui/form/use-resource-form";

import { durationWords, NOT_HELD, personOf, refreshAll, roleOf } from "./data";

const DURATIONS = [3_600, 7_200, 14_400, 28_800, 43_200, 86_400].map((seconds) => ({
  value: `${seconds}s`,
  label: durationWords(`${seconds}s`),
}));

const valuesFor = (ownEnd: number | undefined) =>
  z.object({
    identityUid: z.string().check(z.minLength(1, "Choose a person")),
    roleUid: z.string().check(z.minLength(1, "Choose a role")),
    parent: z.string().check(z.minLength(1, "Choose a folder")),
    maxDuration: z.string(),
    requireApproval: z.boolean(),
    requireSecondFactor: z.boolean(),
    expirationTime: z.string().check(
      z.refine((end) => newEndProblem(end, ownEnd) === undefined, {
        error: ({ input }) => newEndProblem(String(input), ownEnd) ?? "",
      }),
    ),
    description: z.string().check(z.maxLength(500, "Use at most 500 characters")),
    justification: z.string(),
  });
type Values = z.infer<ReturnType<typeof valuesFor>>;

const bodyOf = ({ expirationTime, description, ...values }: Values) => ({
  identityUid: values.identityUid,
  roleUid: values.roleUid,
  maxDuration: values.maxDuration,
  requireApproval: values.requireApproval,
  requireSecondFactor: values.requireSecondFactor,
  ...(expirationTime && { expirationTime }),
  ...(description.trim() && { description: description.trim() }),
});

interface MakeFormProps {
  /** uid of the screen's group. */
  readonly scope: string | undefined;
  /** uid of the person, if the screen is about one. */
  readonly identity: string | undefined;
  readonly onClose: () => void;
}

/** Makes a person eligible for a role. */
export function MakeForm({ scope, identity, onClose }: MakeFormProps): ReactNode {
  const client = useQueryClient();
  const unconfirmed = useRef<UnconfirmedCreate | undefined>(undefined);
  const [opened] = useState<Values>(() => ({
    identityUid: identity ?? "",
    roleUid: "",
    parent: scope ?? "",
    maxDuration: "14400s",
    requireApproval: false,
    requireSecondFactor: false,
    expirationTime: "",
    description: "",
    justification: "",
  }));
  const [ownEnd, setOwnEnd] = useState<number>();
  const form = useResourceForm({ schema: valuesFor(ownEnd), defaultValues: opened });
  const parent = useWatch({ control: form.control, name: "parent" });
  const ends = useOwnEnd(parent);
  if (ends !== ownEnd) setOwnEnd(ends);
  const { reason } = useCan(eligibleGrants.create, parent || undefined);
  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title="Make eligible"
      submitLabel="Make eligible"
      savingLabel="Making eligible"
      disabled={reason}
      behind={
        <FormRequests
          form={form}
          requests={(values) => [
            {
              endpoint: eligibleGrants.create,
              path: { parent: values.parent },
              body: bodyOf(values),
              justification: values.justification,
            },
          ]}
        />
      }
      onSubmit={(values) =>
        sendCreate<EligibleGrant, InputOf<typeof eligibleGrants>>(
          client,
          eligibleGrants,
          { parent: values.parent, body: bodyOf(values), justification: values.justification },
          unconfirmed,
        )
      }
      onSaved={(made) => {
        refreshAll(client);
        onClose();
        toast(`${personOf(made)} can switch on ${roleOf(made)}`);
      }}
    >
      <p className={fields["hint"]}>{NOT_HELD} They do that with a reason, and it ends by itself.</p>
      <WhoField />
      <RoleField group={parent} />
      <ParentGroupField scope={scope} create={eligibleGrants.create} />
      <SelectField name="maxDuration" label="At most, at a time" required options={DURATIONS} />
      <CheckboxField
        name="requireApproval"
        label="Needs approval each time"
        hint="By somebody else who can give this role there."
      />
      <CheckboxField
        name="requireSecondFactor"
        label="Needs a second factor"
        hint="They have to be signed in with one."
      />
      <EndField group={parent} of="the eligible grant" />
      <TextAreaField name="description" label="Description" hint="What it is for. They read it. Optional." />
      <JustificationField />
    </FormDrawer>
  );
}

function WhoField(): ReactNode {
  const { field } = useController({ name: "identityUid" });
  const error = useFieldError("identityUid");
  return (
    <div role="group" aria-label="Person" className={choosing["who"]}>
      <span className={fields["label"]}>Person</span>
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
