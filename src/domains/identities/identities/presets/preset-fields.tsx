import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import "~/ui/controls/button-styles";
import { ExternalLink } from "~/ui/display/external-link";
import { Disclosure } from "~/ui/form/disclosure";
import { SelectField, TextField } from "~/ui/form/fields";

import { IssuerNote } from "../issuer-note";
import { isFilled, presetRule, type PresetValues } from "./fill";
import type { Preset } from "./preset";
import { presetOf, PRESETS } from "./presets";
import classes from "./styles.module.css";

const PROVIDERS = PRESETS.map(({ value, label }) => ({ value, label }));

/** The fields of one provider. */
export function PresetFields(): ReactNode {
  const { control } = useFormContext<{ preset: PresetValues; claimMatch: { audience: string } }>();
  const values = useWatch({ control, name: "preset" });
  const preset = presetOf(values.provider);
  if (!preset) return null;
  const { value, fields, about, rule } = preset;
  const issuer = presetRule(values).claimMatch?.issuer ?? "";
  return (
    <>
      <SelectField name="preset.provider" label="Provider" required options={PROVIDERS} hint={about} />
      {fields.map(({ name, label, hint, example, optional = false, options }) =>
        options ? (
          <SelectField
            key={`${value} ${name}`}
            name={`preset.fields.${value}.${name}`}
            label={label}
            options={options}
            hint={hint}
          />
        ) : (
          <TextField
            key={`${value} ${name}`}
            name={`preset.fields.${value}.${name}`}
            label={label}
            required={!optional}
            code
            hint={hint}
            placeholder={example}
          />
        ),
      )}
      {"issuer" in rule && rule.audience === undefined ? (
        <TextField
          name="claimMatch.audience"
          label="Audience"
          code
          hint="The aud claim that the workload requests. Leave empty for this platform."
        />
      ) : null}
      {isFilled(values) ? <IssuerNote issuer={issuer} /> : null}
      <Explained preset={preset} />
    </>
  );
}

/** Previews the rule in the API's terms. `onRaw` continues by editing it. */
export function PresetOutcome({ onRaw }: { readonly onRaw: () => void }): ReactNode {
  const { control } = useFormContext<{ preset: PresetValues; claimMatch: { audience: string } }>();
  const values = useWatch({ control, name: "preset" });
  const audience = useWatch({ control, name: "claimMatch.audience" });
  if (!isFilled(values)) return null;
  const { claimMatch, awsIdentity } = presetRule(values, audience);
  const { claims, claimPatterns, ...members } = claimMatch ?? {};
  const lines = Object.entries({ ...awsIdentity, ...members, ...claims, ...claimPatterns });
  return (
    <div className={classes["outcome"]}>
      <p className={classes["label"]}>Matching tokens</p>
      <output>
        <dl className={classes["lines"]}>
          {lines.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code dir="ltr">{text}</code>
              </dd>
            </div>
          ))}
        </dl>
      </output>
      <Button variant="subtle" size="compact-sm" className={classes["raw"] ?? ""} onClick={onRaw}>
        {awsIdentity ? "Edit as AWS identity" : "Edit as raw claims"}
      </Button>
    </div>
  );
}

/** Documents the claims of the provider's tokens. */
const Explained = ({ preset: { label, claims, docs, example } }: { readonly preset: Preset }): ReactNode => (
  <Disclosure title={`Claims in ${label} tokens`}>
    <dl className={classes["lines"]}>
      {claims.map(({ claim, means }) => (
        <div key={claim}>
          <dt>
            <code>{claim}</code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
      <div>
        <dt>Example</dt>
        <dd>
          <code dir="ltr">{example}</code>
        </dd>
      </div>
    </dl>
    <p>
      <ExternalLink address={docs}>{label} documentation</ExternalLink>
    </p>
  </Disclosure>
);
