import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { SERVICE_PRINCIPALS } from "platform-contract/iam/identities";
import { DateTimeField } from "~/ui/form/date-time-field";
import { SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { KeyValueField } from "~/ui/form/key-value-field";
import type { FieldProps } from "~/ui/form/use-field";

import { IssuerNote } from "./issuer-note";
import type { IdentityValues } from "./values";
import { serviceLabel } from "./words";
import classes from "./styles.module.css";

const AUDIENCE_HINT = "The aud claim of the tokens. Leave empty for this platform.";

export function ClaimFields(): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const [by, issuer] = useWatch({ control, name: ["claimMatch.issuerBy", "claimMatch.issuer"] });
  return (
    <>
      <MatchField name="claimMatch.issuer" label="Issuer" required hint="The URL in the iss claim." />
      {by === "exact" ? <IssuerNote issuer={issuer} /> : null}
      <MatchField name="claimMatch.subject" label="Subject" required hint="Exact sub claim." />
      <MatchField name="claimMatch.audience" label="Audience" hint={AUDIENCE_HINT} />
      <KeyValueField
        name="claimMatch.claims"
        label="Other claims"
        keyLabel="Claim"
        addLabel="Add claim"
        hint="Must match exactly."
      />
      <KeyValueField
        name="claimMatch.claimPatterns"
        label="Other claims by pattern"
        keyLabel="Claim"
        valueLabel="Pattern"
        addLabel="Add pattern"
        hint="A pattern must match the whole value."
      />
    </>
  );
}

export function KeyFields(): ReactNode {
  return (
    <>
      <TextField
        name="staticKeys.issuer"
        label="Issuer"
        required
        code
        hint="The iss claim of the tokens. The platform never contacts this URL; it checks tokens against the keys below."
      />
      <TextField name="staticKeys.subject" label="Subject" required code hint="Exact sub claim." />
      <TextAreaField
        name="staticKeys.issuerKeys"
        label="Public keys"
        required
        code
        rows={8}
        hint='A JWKS document: {"keys": [ … ]}. Never paste a private key.'
      />
      <DateTimeField
        name="staticKeys.expires"
        label="Keys expire"
        hint="Up to 365 days after the identity was created (default)."
      />
      <TextField name="staticKeys.audience" label="Audience" code hint={AUDIENCE_HINT} />
    </>
  );
}

export function AwsFields(): ReactNode {
  return (
    <>
      <TextField name="awsIdentity.awsAccount" label="AWS account" required code hint="12 digits." />
      <MatchField
        name="awsIdentity.arn"
        label="ARN"
        required
        hint="ARN of the calling role or user: arn:aws:iam::123456789012:role/build"
      />
      <MatchField
        name="awsIdentity.userId"
        label="User ID"
        required
        hint="UserId from aws sts get-caller-identity: AROAEXAMPLE:session"
      />
    </>
  );
}

const SERVICES = SERVICE_PRINCIPALS.filter((principal) => principal !== "SERVICE_PRINCIPAL_UNSPECIFIED").map(
  (value) => ({ value, label: serviceLabel(value) }),
);

/** `stored` remains a choice even if only a newer platform knows the service. */
export function ServiceFields({ stored }: { readonly stored: string | undefined }): ReactNode {
  const known = stored === undefined || SERVICES.some(({ value }) => value === stored);
  return (
    <SelectField
      name="servicePrincipal"
      label="Service"
      required
      options={[
        { value: "", label: "Choose a service" },
        ...SERVICES,
        ...(known ? [] : [{ value: stored, label: serviceLabel(stored) }]),
      ]}
      hint="The platform service that can act as this identity."
    />
  );
}

/** Edits the two members of a oneof as a text and a choice of exact or pattern (the form field `${name}By`). */
function MatchField({ name, label, hint, required = false }: FieldProps): ReactNode {
  const pattern = useWatch({ name: `${name}By` }) === "pattern";
  return (
    <div className={classes["match"]}>
      <TextField
        name={name}
        label={pattern ? `${label} pattern` : label}
        required={required}
        code
        hint={pattern ? "A regular expression (RE2) that matches the whole value." : hint}
      />
      <SelectField
        name={`${name}By`}
        label={`${label} matches`}
        options={[
          { value: "exact", label: "exactly" },
          { value: "pattern", label: "by pattern" },
        ]}
      />
    </div>
  );
}
