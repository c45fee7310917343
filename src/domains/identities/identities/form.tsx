import { useCallback, useEffect, useEffectEvent, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { useCan } from "~/frame/permissions/use-can";
import { rootOf } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { ActionButton } from "~/ui/controls/action-button";
import { Notice } from "~/ui/feedback/notice";
import { TextField, SelectField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { FormSection } from "~/ui/form/form-section";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { useParentOptions, type ParentOption } from "~/frame/scope/use-parent-options";
import type { FormProps } from "~/frame/form/drawers";
import { DescriptionField } from "~/frame/form/description-field";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { CreateWithRole } from "~/domains/access/grants/create-with-role";
import { isBelowOrganization } from "~/domains/access/grants/reach";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Counted } from "~/frame/record/delete-record";
import { useCount } from "~/frame/record/use-count";

import { GitHubFields, GitHubOutcome } from "./presets/github-fields";
import { PresetFields, PresetOutcome } from "./presets/preset-fields";
import { identityScreens } from "./data";
import { AwsFields, ClaimFields, KeyFields, ServiceFields } from "./kind-fields";
import { formField, problems } from "./problems";
import { unknownMembers } from "./unknown-members";
import {
  asRaw,
  fromIdentity,
  leavesOf,
  toBody,
  type FormKind,
  type IdentityValues,
  memberOf,
} from "./values";
import classes from "./styles.module.css";
import { untyped } from "~/ui/form/untyped";

interface KindChangeProps {
  readonly identity: Identity;
  readonly types: readonly { readonly value: FormKind; readonly label: string }[];
}

/** Changes how an existing identity signs in, and shows the consequences. */
function KindChange({ identity, types }: KindChangeProps): ReactNode {
  const [kind, preset]: [FormKind, IdentityValues["preset"]] = useWatch({ name: ["kind", "preset"] });
  const before = fromIdentity(identity);
  // Changing the type would lose a rule that only a newer service knows.
  if (before.kind === "other") return null;
  const label = (value: FormKind) => types.find((each) => each.value === value)?.label ?? value;
  return (
    <>
      <SelectField name="kind" label="Type" options={types} />
      {memberOf({ kind, preset }) === memberOf(before) ? null : (
        <Changed identity={identity} from={label(before.kind)} to={label(kind)} />
      )}
    </>
  );
}

function Changed({ identity, from, to }: { identity: Identity; from: string; to: string }): ReactNode {
  const bindings = useCount(roleBindings.list, { identity: identity.uid }, identity.uid);
  return (
    <>
      <Notice tone="warning" title={`Type changes from ${from} to ${to}`}>
        Workloads that sign in with the current rule lose access as soon as you save. The rule isn't kept.
        {identity.staticKeys ? " Its public keys are removed too." : ""}
      </Notice>
      <Counted
        {...bindings}
        what="role bindings"
        one="role binding stays and applies to any workload that matches the new rule"
        many="role bindings stay and apply to any workload that matches the new rule"
        none="It has no roles."
      />
    </>
  );
}

const TYPES: readonly { value: FormKind; label: string; hint: string }[] = [
  { value: "github", label: "GitHub Actions", hint: "A workflow in a github.com repository" },
  {
    value: "preset",
    label: "Other CI or cloud",
    hint: "GitHub Enterprise, GitLab, Kubernetes, AWS, Azure, Google Cloud, Bitbucket, Buildkite, Jenkins, CircleCI",
  },
  { value: "claims", label: "OIDC claims", hint: "Any OIDC issuer, claim by claim" },
  { value: "keys", label: "Static keys", hint: "Tokens signed with your own keys" },
  { value: "aws", label: "AWS", hint: "A role or user of an AWS account" },
  { value: "service", label: "Platform service", hint: "A built-in platform service" },
];

interface IdentityFormProps extends FormProps<Identity> {
  /** What a new identity begins with. */
  readonly from?: IdentityValues | undefined;
  /** uid of the role that it is granted unless the user chooses another one. */
  readonly role?: string | undefined;
}

/** Creates or edits a machine identity. */
export function IdentityForm(props: IdentityFormProps): ReactNode {
  const { record, scope, from, role } = props;
  const drawer = useRecordForm(identityScreens, {
    ...props,
    values: useCallback((of: Identity | undefined) => (of || !from ? fromIdentity(of) : from), [from]),
    body: toBody,
    leaves: leavesOf,
    fieldOf: formField,
    problems,
    unkept: ["staticKeys.issuerKeys"],
  });
  const { control, getValues } = drawer.form;
  const choose = useEffectEvent(() => role && untyped(drawer.form).setValue("roleUid", role));
  useEffect(() => void choose(), []);
  const kind = useWatch({ control, name: "kind" });
  const goOn = () => {
    const { claimMatch, awsIdentity, kind: next } = asRaw(getValues());
    for (const [name, value] of Object.entries({ claimMatch, awsIdentity, kind: next }))
      untyped(drawer.form).setValue(name, value, { shouldDirty: true });
  };
  const Frame = (record ? FormDrawer : CreateWithRole) as typeof FormDrawer;
  return (
    <Frame {...drawer} page aside={outcomeOf(kind, goOn)}>
      {record ? null : (
        <FormSection title="What signs in">
          <RadioCardsField name="kind" label="Type" required options={TYPES} />
        </FormSection>
      )}
      <FormSection title="Details">
        <TextField
          name="name"
          label="Name"
          required
          hint="Lowercase letters, digits, spaces, dots, underscores and hyphens."
        />
        <DescriptionField />
        {record ? null : <ParentField scope={scope} />}
      </FormSection>
      <FormSection title="Sign-in rule" description="Tokens that match it can act as this identity.">
        {record ? <KindChange identity={record} types={TYPES} /> : null}
        {kind === "preset" ? <PresetFields /> : null}
        {kind === "github" ? <GitHubFields /> : null}
        {kind === "claims" ? <ClaimFields /> : null}
        {kind === "keys" ? <KeyFields /> : null}
        {kind === "aws" ? <AwsFields /> : null}
        {kind === "service" ? <ServiceFields stored={record?.servicePrincipal} /> : null}
        {record ? <UnknownMembers identity={record} /> : null}
      </FormSection>
      {record ? <JustificationField /> : null}
    </Frame>
  );
}

/** The rule that results from the fields of a provider; nothing if the fields are the rule. */
function outcomeOf(kind: FormKind, onRaw: () => void): ReactNode {
  if (kind === "github") return <GitHubOutcome onRaw={onRaw} />;
  if (kind === "preset") return <PresetOutcome onRaw={onRaw} />;
  return null;
}

/** Selects the group that a new identity belongs to, with a warning if that limits its reach. */
function ParentField({ scope }: { readonly scope: string | undefined }): ReactNode {
  const parent: string = useWatch({ name: "parent" });
  const { options: homes } = useParentOptions(scope, parent || undefined);
  return (
    <>
      <ParentGroupField scope={scope} create={identities.create} />
      {isBelowOrganization(parent) ? <ReachNote parent={parent} homes={homes} /> : null}
    </>
  );
}

interface ReachNoteProps {
  readonly parent: string;
  readonly homes: readonly ParentOption[];
}

function ReachNote({ parent, homes }: ReachNoteProps): ReactNode {
  const { setValue } = useFormContext();
  const root = rootOf(parent);
  const { reason } = useCan(identities.create, root);
  const labelOf = (uid: string) => homes.find((home) => home.uid === uid)?.label;
  const organization = labelOf(root);
  const choose = () => setValue("parent", root, { shouldDirty: true, shouldValidate: true });
  return (
    <Notice
      title={
        <>
          Limited to <bdi>{labelOf(parent)?.split(" / ").at(-1) ?? "this folder"}</bdi>
        </>
      }
      actions={
        organization === undefined ? null : (
          <ActionButton reason={reason} onClick={choose}>
            Create in the organization instead
          </ActionButton>
        )
      }
    >
      This identity can act in this folder and below it only. Roles that you grant it in{" "}
      <bdi>{organization ?? "the organization"}</bdi> or in other folders have no effect.
    </Notice>
  );
}

/** Shows the fields that this console cannot edit. Saving leaves them unchanged. */
function UnknownMembers({ identity }: { readonly identity: Identity }): ReactNode {
  const members = unknownMembers(identity);
  if (members.length === 0) return null;
  return (
    <Notice title="Other fields">
      <p>You can't edit these fields here. Saving doesn't change them.</p>
      <dl className={classes["unknown"]}>
        {members.map(({ path, text }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>
              <code dir="ltr">{text}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
