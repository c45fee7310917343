import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { SERVICE_PRINCIPALS } from "~/contract/iam/identities";
import { KeyValueField } from "~/ui/form/key-value-field";
import { SelectField, TextAreaField, TextField } from "~/ui/form/fields";

import { DateTimeField } from "./date-time-field";
import { latestExpiry } from "./problems";
import { localTime, type IdentityValues } from "./values";
import { servicePurpose, serviceWord } from "./words";
import { IssuerNote } from "./issuer-note";
import { MatchField } from "./match-field";

const AUDIENCE_HINT = "Whom the tokens are meant for. Empty: this platform.";

export function ClaimFields(): ReactNode {
  const { control } = useFormContext<IdentityValues>();
  const [by, issuer] = useWatch({ control, name: ["claimMatch.issuerBy", "claimMatch.issuer"] });
  return (
    <>
      <MatchField name="claimMatch.issuer" label="Issuer" required hint="The address in the iss claim." />
      {by === "exact" ? <IssuerNote issuer={issuer} /> : null}
      <MatchField
        name="claimMatch.subject"
        label="Subject"
        required
        hint="The sub claim, letter by letter."
      />
      <MatchField name="claimMatch.audience" label="Audience" hint={AUDIENCE_HINT} />
      <KeyValueField
        name="claimMatch.claims"
        label="Other claims"
        keyLabel="Claim"
        addLabel="Add claim"
        hint="Each has to have this very value."
      />
      <KeyValueField
        name="claimMatch.claimPatterns"
        label="Other claims by pattern"
        keyLabel="Claim"
        valueLabel="Pattern"
        addLabel="Add pattern"
        hint="Each has to fit its pattern as a whole."
      />
    </>
  );
}

export function KeyFields({ createTime }: { readonly createTime: string | undefined }): ReactNode {
  const latest = latestExpiry(createTime, Date.now());
  return (
    <>
      <TextField
        name="staticKeys.issuer"
        label="Issuer"
        required
        code
        hint="The iss claim of the tokens. Nobody is asked there: the keys below decide."
      />
      <TextField
        name="staticKeys.subject"
        label="Subject"
        required
        code
        hint="The sub claim, letter by letter."
      />
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
        max={localTime(latest.toISOString())}
        hint="In your own time. 365 days after creation at most, and if left empty."
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
        hint="Of the role or user that calls: arn:aws:iam::123456789012:role/build"
      />
      <MatchField
        name="awsIdentity.userId"
        label="User id"
        required
        hint="As sts get-caller-identity gives it: AROAEXAMPLE:session"
      />
    </>
  );
}

const SERVICES = SERVICE_PRINCIPALS.filter((principal) => principal !== "SERVICE_PRINCIPAL_UNSPECIFIED").map(
  (value) => {
    const purpose = servicePurpose(value);
    return {
      value,
      label: purpose === undefined ? serviceWord(value) : `${serviceWord(value)} (${purpose})`,
    };
  },
);

/** `stored`: a service that only a newer platform knows stays one of the choices. */
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
        ...(known ? [] : [{ value: stored, label: serviceWord(stored) }]),
      ]}
      hint="The part of the platform that may act as this identity."
    />
  );
}
