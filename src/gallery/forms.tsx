import { Button } from "@mantine/core";
import { useEffect, useState, type ReactNode } from "react";
import { FormProvider, useForm } from "react-hook-form";
import * as z from "zod/mini";

import "~/ui/controls/button-styles";
import { CheckboxField, SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { Disclosure } from "~/ui/form/disclosure";
import { FormAlert } from "~/ui/form/form-alert";
import { FormSection } from "~/ui/form/form-section";
import { JsonFileInput } from "~/ui/form/json-file-input";
import { KeyValueField } from "~/ui/form/key-value-field";
import { LinesField } from "~/ui/form/lines-field";
import { conflictsOf } from "~/ui/form/differences";
import { MergeChanges } from "~/ui/form/merge-changes";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { ReviewChanges } from "~/ui/form/review-changes";
import { useResourceForm } from "~/ui/form/use-resource-form";

import classes from "./gallery.module.css";
import { HOSTILE, LONG, RTL } from "./names";
import { Specimen } from "./specimen";
import { untyped } from "~/ui/form/untyped";

const TYPES = [
  { value: "oidc", label: "OIDC claims", hint: "Any OIDC issuer, such as GitLab or Kubernetes" },
  { value: "keys", label: "Static keys", hint: "Tokens signed with your own keys" },
  { value: "service", label: "Platform service", disabled: "Only a platform operator can create these" },
];
const TIERS = [
  { value: "", label: "None" },
  { value: "base", label: "Base" },
];
const refuse = (): never => {
  throw new Error("This file isn't valid JSON.");
};

interface Values {
  name: string;
  team: string;
  about: string;
  tier: string;
  kind: string;
  claims: Record<string, string>;
  bundles: string[];
  once: boolean;
}

const VALUES: Values = {
  name: LONG,
  team: RTL,
  about: HOSTILE.join("\n"),
  tier: "base",
  kind: "oidc",
  claims: { sub: LONG, [RTL]: "*" },
  bundles: [...HOSTILE],
  once: true,
};
const EMPTY: Values = {
  ...VALUES,
  name: "",
  team: "",
  about: "",
  tier: "",
  claims: {},
  bundles: [],
  once: false,
};

const NAMES = Object.keys(VALUES);

interface FieldsProps {
  readonly values: Values;
  /** The same message under every field. */
  readonly error?: string;
  readonly disabled?: string;
}

function Fields({ values, error, disabled }: FieldsProps): ReactNode {
  const form = useForm({ defaultValues: values });
  useEffect(() => {
    if (error !== undefined)
      for (const name of NAMES) untyped(form).setError(name, { type: "invalid", message: error });
  }, [form, error]);
  const off = disabled === undefined ? {} : { disabled };
  return (
    <FormProvider {...form}>
      <form className={classes["form"]} noValidate onSubmit={(event) => event.preventDefault()}>
        <TextField name="name" label="Name" required code hint="Use 3 to 63 characters" {...off} />
        <TextField name="team" label="Team" placeholder="Optional" {...off} />
        <TextAreaField name="about" label="Description" hint="Shown to everyone with access." {...off} />
        <SelectField name="tier" label="Catalog tier" options={TIERS} {...off} />
        <RadioCardsField name="kind" label="Type" options={TYPES} {...off} />
        <KeyValueField
          name="claims"
          label="Claims"
          keyLabel="Claim"
          valueLabel="Value"
          addLabel="Add claim"
          {...off}
        />
        <LinesField name="bundles" label="Bundles" hint="Product bundles, one per line" {...off} />
        <CheckboxField
          name="once"
          label="One person can use it, once"
          hint="Then the link stops working."
          {...off}
        />
      </form>
    </FormProvider>
  );
}

const SAVED = { name: "python", about: "Interpreter and pip" };
const SAVED_SCHEMA = z.custom<typeof SAVED>();
const THEIRS = { name: RTL, about: LONG };

/** A form in which the person has typed, beside what that changes, and beside what someone else saved meanwhile. */
function Typed(): ReactNode {
  const form = useResourceForm({ schema: SAVED_SCHEMA, defaultValues: SAVED });
  const [conflicts, setConflicts] = useState<ReturnType<typeof conflictsOf>>([]);
  useEffect(() => {
    form.setValue("name", LONG, { shouldDirty: true });
  }, [form]);
  return (
    <FormProvider {...form}>
      <form className={classes["form"]} noValidate onSubmit={(event) => event.preventDefault()}>
        <TextField name="name" label="Name" code />
        <TextField name="about" label="Description" />
        <ReviewChanges form={form} />
        {conflicts.length === 0 ? (
          <Button variant="default" onClick={() => setConflicts(conflictsOf(form, THEIRS))}>
            Compare with what someone else saved
          </Button>
        ) : (
          <MergeChanges form={form} conflicts={conflicts} onClose={() => setConflicts([])} />
        )}
      </form>
    </FormProvider>
  );
}

/** Every kind of field, in every state. The drawer itself is among the overlays. */
export const Forms = (): ReactNode => (
  <>
    <Specimen title="Fields: filled in">
      <Fields values={VALUES} />
    </Specimen>
    <Specimen title="Fields: empty">
      <Fields values={EMPTY} />
    </Specimen>
    <Specimen title="Fields: with errors">
      <Fields values={VALUES} error="Use 3 to 63 characters" />
    </Specimen>
    <Specimen title="Fields: disabled, with the reason">
      <Fields values={VALUES} disabled="Can't be changed once accepted" />
    </Specimen>
    <Specimen title="FormSection, Disclosure">
      <FormSection title="Access" description="Roles apply to the folder and everything below it.">
        <Disclosure title="Advanced" note="not set">
          <p>Details that few people need.</p>
        </Disclosure>
      </FormSection>
    </Specimen>
    <Specimen title="JsonFileInput" use="Choose any file to see why it is not opened.">
      <JsonFileInput label="Retention rules" Problem={Error} onChoose={refuse} />
    </Specimen>
    <Specimen title="ReviewChanges, MergeChanges">
      <Typed />
    </Specimen>
    <Specimen title="FormAlert: refused, changed by someone else, rate limited">
      <FormAlert message="You don't have permission to create repos here" violations={[]} requestId="req-1" />
      <FormAlert
        message="Someone else changed this since you opened it."
        violations={[]}
        outcome="changed"
        onReload={() => undefined}
      />
      <FormAlert message="The service is busy." violations={[{ field: "name", description: "is taken" }]} />
    </Specimen>
  </>
);
