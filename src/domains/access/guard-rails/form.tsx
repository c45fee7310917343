import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import { guardRailSentence } from "platform-contract/iam/guard-rail-rules";
import {
  GUARD_RAIL_KINDS,
  guardRailProblems,
  VALUES_OF,
  type GuardRail,
  type GuardRailInput,
} from "platform-contract/iam/guard-rails";
import { useRoleChoice } from "~/domains/access/grants/roles";
import type { FormProps } from "~/frame/form/drawers";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { CheckboxField, SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { FormSection } from "~/ui/form/form-section";
import { LinesField } from "~/ui/form/lines-field";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { isKeyOf } from "~/ui/keys";

import { capabilityName, guardRailScreens, KIND_WORDS, kindLabel, valuesOfKind } from "./data";
import { Findings } from "./findings";
import { RolesField } from "./roles-field";
import classes from "./styles.module.css";

const valuesOf = (record: GuardRail | undefined) => ({
  kind: record?.kind ?? "",
  mode: record?.mode ?? "GUARD_RAIL_MODE_REFUSE",
  description: record?.description ?? "",
  roles: [...(record?.roles ?? [])],
  capabilities: (record?.capabilities ?? []).map(capabilityName),
  maxDays: record?.maxDays === undefined ? "" : String(record.maxDays),
  issuers: [...(record?.issuers ?? [])],
  exactSubject: record?.exactSubject ?? false,
  claims: [...(record?.claims ?? [])],
  names: record?.names ?? "GUARD_RAIL_NAMES_REPOS",
  patterns: [...(record?.patterns ?? [])],
});
type Values = ReturnType<typeof valuesOf>;

const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

const bodyOf = ({ kind, mode, description, maxDays, ...values }: Values): GuardRailInput => {
  const days = maxDays.trim();
  return {
    kind,
    mode,
    ...(description.trim() && { description: description.trim() }),
    ...valuesOfKind({
      kind,
      ...values,
      capabilities: trimmed(values.capabilities),
      issuers: trimmed(values.issuers),
      claims: trimmed(values.claims),
      patterns: trimmed(values.patterns),
      ...(days !== "" && { maxDays: Number(days) }),
    }),
  };
};

const RECORDS = [
  { value: "GUARD_RAIL_NAMES_REPOS", label: "repos" },
  { value: "GUARD_RAIL_NAMES_IDENTITIES", label: "identities" },
  { value: "GUARD_RAIL_NAMES_GROUPS", label: "folders" },
];

/** Why each value of a kind is wrong, in the form's words. */
const ASKED: Readonly<Record<string, string>> = {
  maxDays: "Enter a number of days",
  patterns: "Enter a pattern",
  roles: "Choose a role, or enter a capability",
  issuers: "Enter an issuer or a claim, or require exact subjects",
};

/** Creates or changes a guard rail, and shows who breaks it today. */
export function GuardRailForm(props: FormProps<GuardRail>): ReactNode {
  const { record, scope } = props;
  const drawer = useRecordForm(guardRailScreens, {
    ...props,
    values: valuesOf,
    body: bodyOf,
    problems: (values) => {
      if (values.kind === "") return [{ field: "kind", description: "Choose a kind" }];
      return guardRailProblems({ ...bodyOf(values) }).map(({ field, description }) => ({
        field,
        description: ASKED[field] ?? description,
      }));
    },
  });
  return (
    <FormDrawer {...drawer} page aside={<InWords of={record} />}>
      <FormSection title="What it asks for">
        {record ? (
          <p className={classes["kind"]}>{kindLabel(record.kind)}</p>
        ) : (
          <RadioCardsField
            name="kind"
            label="Kind"
            required
            options={GUARD_RAIL_KINDS.map((value) => ({ value, ...KIND_WORDS[value] }))}
          />
        )}
        <ValueFields group={record && parentOf(record.uid)} />
      </FormSection>
      {record ? null : (
        <FormSection title="Where">
          <ParentGroupField scope={scope} hint="It counts for access given here and in every folder below." />
        </FormSection>
      )}
      <FormSection title="If it is broken">
        <RadioCardsField
          name="mode"
          label="What happens"
          required
          options={[
            {
              value: "GUARD_RAIL_MODE_REFUSE",
              label: "Refuse",
              hint: "The change isn't made, and the log says why. A sign-in or a directory's push goes on without that role.",
            },
            {
              value: "GUARD_RAIL_MODE_WARN",
              label: "Warn",
              hint: "The change is made and marked in the audit log.",
            },
          ]}
        />
        <TextAreaField
          name="description"
          label="Description"
          hint="Why you set it, for those who are refused. Optional."
        />
      </FormSection>
      <JustificationField />
    </FormDrawer>
  );
}

const LINES = "One per line.";

/** The fields of the chosen kind. */
function ValueFields({ group }: { readonly group: string | undefined }): ReactNode {
  const [kind, parent] = useWatch<{ kind: string; parent: string }, ["kind", "parent"]>({
    name: ["kind", "parent"],
  });
  if (!isKeyOf(VALUES_OF, kind)) return null;
  const { one = [], all = [] } = VALUES_OF[kind];
  const has = (field: (typeof one | typeof all)[number]) => one.includes(field) || all.includes(field);
  return (
    <>
      {has("roles") ? <RolesField group={group ?? parent} /> : null}
      {has("capabilities") ? (
        <LinesField
          name="capabilities"
          label="Capabilities"
          hint={`Also counts for roles with one of these, such as role_bindings.create. ${LINES}`}
        />
      ) : null}
      {has("maxDays") ? (
        <TextField name="maxDays" label="Days" required hint="From the day on which access is given." />
      ) : null}
      {has("issuers") ? (
        <LinesField
          name="issuers"
          label="Issuers"
          hint={`Tokens of others are refused, and so are keys of your own and AWS. * stands for any text. ${LINES}`}
        />
      ) : null}
      {has("exactSubject") ? (
        <CheckboxField
          name="exactSubject"
          label="One exact subject"
          hint="Identities can't match a pattern of subjects."
        />
      ) : null}
      {has("claims") ? (
        <LinesField
          name="claims"
          label="Required claims"
          hint={`Identities must require one value for each, such as repository_owner_id. ${LINES}`}
        />
      ) : null}
      {has("names") ? <SelectField name="names" label="Names of" options={RECORDS} /> : null}
      {has("patterns") ? (
        <LinesField
          name="patterns"
          label="Patterns"
          required
          hint={`A name must be like one of these: * stands for any text, ? for one character. ${LINES}`}
        />
      ) : null}
    </>
  );
}

/** The guard rail as a sentence, and who breaks it today. */
function InWords({ of: record }: { readonly of: GuardRail | undefined }): ReactNode {
  const values = useWatch<Values & { parent: string }>() as Values & { parent: string };
  const group = record ? parentOf(record.uid) : values.parent;
  const { everywhere } = useRoleChoice(group);
  const body = bodyOf(values);
  const isWhole = values.kind !== "" && group !== "" && guardRailProblems({ ...body }).length === 0;
  const draft = JSON.stringify([group, valuesOfKind(body), body.kind]);
  const [asked, setAsked] = useState<string>();
  if (!isWhole)
    return <p className={classes["quiet"]}>Choose what it asks for to read it as a sentence here.</p>;
  const sentence = guardRailSentence(body, {
    role: (uid) => everywhere.find((role) => role.uid === uid)?.name ?? "…",
    capability: (name) => name,
  });
  return (
    <Section title="In words">
      <p className={classes["sentence"]}>{sentence}.</p>
      {body.kind === "GUARD_RAIL_KIND_REASON_REQUIRED" ? (
        <p className={classes["quiet"]}>It is about changes: nothing that exists breaks it.</p>
      ) : asked === draft ? (
        <Findings group={group} rail={body} narrow />
      ) : (
        <div>
          <Button variant="default" onClick={() => setAsked(draft)}>
            Show who breaks it today
          </Button>
        </div>
      )}
    </Section>
  );
}
