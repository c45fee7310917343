import { useMemo, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { useCan } from "~/access/use-can";
import { useCreate } from "~/api/mutations/writes";
import { identities, type Identity } from "~/contract/iam/identities";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { toast } from "~/ui/feedback/toast-store";

import { GitHubFields } from "./github-fields";
import { inForm } from "./aliases";
import { identitySchema } from "./problems";
import { emptyIdentity, fromIdentity, toBody, type FormKind } from "./values";
import { AwsFields, ClaimFields, KeyFields, ServiceFields } from "./kind-fields";
import { detailOf } from "./links";
import { ParentField } from "./parent-field";
import { UnknownMembers } from "./unknown-fields";
import { useSaveIdentity } from "./use-save-identity";

interface IdentityFormProps {
  /** The identity to change; without one the form creates one. */
  readonly identity?: Identity | undefined;
  /** uid of the group that a new one belongs to, unless the person says otherwise. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
}

const KINDS: readonly { value: FormKind; label: string; hint: string }[] = [
  { value: "github", label: "GitHub Actions", hint: "A workflow of one repository on github.com" },
  { value: "claims", label: "OIDC claims", hint: "Tokens of any issuer: GitLab, Kubernetes, a cloud" },
  { value: "keys", label: "Static keys", hint: "Tokens that are signed with keys you give here" },
  { value: "aws", label: "AWS", hint: "A role or user of an AWS account" },
  { value: "service", label: "Platform service", hint: "A part of the platform itself" },
];

/** Creates a machine identity, or changes one. */
export function IdentityForm({ identity: shown, scope, onClose }: IdentityFormProps): ReactNode {
  // As it was when the form was filled: what is saved is what differs from that.
  const [identity, setIdentity] = useState(shown);
  const opened = useMemo(
    () => (identity ? fromIdentity(identity) : { ...emptyIdentity, parent: scope ?? "" }),
    [identity, scope],
  );
  const before = useMemo(() => (identity ? toBody(opened) : undefined), [identity, opened]);
  const form = useResourceForm({
    schema: identitySchema({ before, createTime: identity?.createTime }),
    defaultValues: opened,
    draft: identity ? "edit identity" : "create identity",
  });
  const [kind, parent] = useWatch({ control: form.control, name: ["kind", "parent"] });
  const creation = useCan(identities.create, parent || undefined);
  const change = useCan(identities.update, identity?.uid);
  const create = useCreate(identities);
  const save = useSaveIdentity();

  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={identity ? "Edit identity" : "Create identity"}
      submitLabel={identity ? "Save changes" : "Create identity"}
      savingLabel={identity ? "Saving" : "Creating"}
      disabled={(identity ? change : creation).reason}
      onSubmit={async (body) => {
        const { kind: sent, parent: under } = form.getValues();
        try {
          return await (identity && before
            ? save(identity, before, body)
            : create.mutateAsync({ parent: under, body }));
        } catch (error) {
          throw inForm(sent, error);
        }
      }}
      onReload={(current) => {
        setIdentity(current);
        form.reset(fromIdentity(current));
      }}
      onSaved={({ uid, name }) => {
        onClose();
        if (identity) toast(`Saved identity ${name}`);
        else toast(`Created identity ${name}`, { label: "Open identity", target: detailOf(uid) });
      }}
    >
      {identity ? null : (
        <RadioCardsField name="kind" label="How it is recognised" required options={KINDS} />
      )}
      <TextField
        name="name"
        label="Name"
        required
        hint="Lower-case letters, digits, spaces, dots, underscores and hyphens."
      />
      <TextAreaField
        name="description"
        label="Description"
        rows={2}
        hint="What it is for, for whoever comes across it."
      />
      {identity ? null : <ParentField scope={scope} />}
      {kind === "github" ? <GitHubFields /> : null}
      {kind === "claims" ? <ClaimFields /> : null}
      {kind === "keys" ? <KeyFields createTime={identity?.createTime} /> : null}
      {kind === "aws" ? <AwsFields /> : null}
      {kind === "service" ? <ServiceFields stored={identity?.servicePrincipal} /> : null}
      {identity ? <UnknownMembers identity={identity} /> : null}
    </FormDrawer>
  );
}
