import { useRouteContext } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { parentOf } from "platform-contract/aip";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import type { FormProps } from "~/frame/form/drawers";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { PassesOn } from "~/domains/access/grants/passes-on";
import { RoleField } from "~/domains/access/grants/role-field";
import { Code } from "~/ui/display/code";
import { Notice } from "~/ui/feedback/notice";
import { CheckboxField, SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { FormSection } from "~/ui/form/form-section";
import { LinesField } from "~/ui/form/lines-field";

import { identityProviderScreens } from "./data";
import { IssuerField } from "./issuer-field";
import { forgetReservation, useReservation } from "./reservation";
import { TestSignIn } from "./test-sign-in";
import { bodyOf, BY_OID, valuesLike, valuesOf, type ProviderValues } from "./values";

/** Sign-in settings from a provider's own documentation. */
interface Preset {
  readonly value: string;
  readonly label: string;
  /** URL template; the user fills in the parts in angle brackets. */
  readonly issuer: string;
  readonly additionalScopes: readonly string[];
  readonly groupsClaim: string;
  /** What to configure at the provider, and how it identifies groups. */
  readonly hint: string;
}

const PRESETS: readonly Preset[] = [
  {
    value: "entra",
    label: "Microsoft Entra ID",
    issuer: "https://login.microsoftonline.com/<tenant ID>/v2.0",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups",
    hint: "Add a groups claim to the ID token under Token configuration, limited to groups assigned to the application: Entra omits the claim for people in more than 200 groups. Groups are object IDs.",
  },
  {
    value: "okta",
    label: "Okta",
    issuer: "https://<your domain>.okta.com",
    additionalScopes: ["email", "profile", "groups"],
    groupsClaim: "groups",
    hint: "Add a groups claim with a filter on the application's Sign On tab. Groups are names.",
  },
  {
    value: "google",
    label: "Google",
    issuer: "https://accounts.google.com",
    additionalScopes: ["email", "profile"],
    groupsClaim: "",
    hint: "Set the consent screen's audience to Internal; otherwise, anyone with a Google account can sign in. Google doesn't send groups.",
  },
  {
    value: "keycloak",
    label: "Keycloak",
    issuer: "https://<your host>/realms/<realm>",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups",
    hint: "Turn on client authentication, and add a Group Membership mapper to the client's dedicated scope. With Full group path, groups look like /engineering.",
  },
  {
    value: "gitlab",
    label: "GitLab",
    issuer: "https://gitlab.com",
    additionalScopes: ["email", "profile"],
    groupsClaim: "groups_direct",
    hint: "On gitlab.com, anyone with an account can sign in, so choose a default role without sensitive access. groups_direct lists the paths of groups that a person is a direct member of.",
  },
];

/** True if choosing a preset can replace the value: it is empty, or from another preset. */
const isPresetValue = (of: (preset: Preset) => string, value: string): boolean =>
  value.trim() === "" || PRESETS.some((preset) => of(preset) === value);

interface IdentityProviderFormProps extends FormProps<IdentityProvider> {
  /** What a new one begins with: all but its name and its secret. */
  readonly like?: IdentityProvider | undefined;
}

/** Creates or edits an identity provider. */
export function IdentityProviderForm(props: IdentityProviderFormProps): ReactNode {
  const { record, like, scope } = props;
  const client = useQueryClient();
  // The form's own group, which is known once there is a form.
  const [group, setGroup] = useState(scope ?? "");
  const { reserved, isComing } = useReservation(record ? "" : group);
  const drawer = useRecordForm(identityProviderScreens, {
    ...props,
    createQuery: reserved && { reservation: reserved.reservation },
    values: useCallback(
      (of: IdentityProvider | undefined) => (of || !like ? valuesOf(of) : valuesLike(like)),
      [like],
    ),
    body: bodyOf,
    problems: ({ oidc }) =>
      record || oidc.clientSecret || oidc.pkceEnabled
        ? []
        : [
            {
              field: "oidc.clientSecret",
              description: 'Enter the client secret, or select "The client has no secret"',
            },
          ],
  });
  const parent = useWatch({ control: drawer.form.control, name: "parent" });
  if (parent !== group) setGroup(parent);
  const onSaved: typeof drawer.onSaved = (saved) => {
    if (!record) forgetReservation(client, parent);
    drawer.onSaved(saved);
  };
  return (
    <FormDrawer
      {...drawer}
      onSaved={onSaved}
      actions={<TestSignIn form={drawer.form} record={record} reserved={reserved} />}
      page
    >
      <FormSection title="Sign-in page">
        {record ? null : <PresetField />}
        <TextField
          name="name"
          label="Name"
          required
          hint='3 to 63 characters. Shown after "Continue with" on the sign-in page that its link opens.'
        />
        {record ? null : <ParentGroupField scope={scope} />}
        <TextAreaField name="description" label="Description" rows={2} hint="Optional." />
      </FormSection>
      <FormSection title="Provider" description="As registered at the provider.">
        {record ? null : <RedirectUri value={reserved?.redirectUri} isComing={isComing} />}
        <IssuerField parent={record ? parentOf(record.uid) : parent} />
        {record ? <IssuerWarning was={record.oidc?.issuer ?? ""} /> : null}
        <TextField name="oidc.clientId" label="Client ID" required code />
        <TextField
          name="oidc.clientSecret"
          label="Client secret"
          type="password"
          autoComplete="new-password"
          hint={
            record
              ? "Leave empty to keep the stored secret. A different issuer needs a new one."
              : "Stored encrypted and never shown again."
          }
        />
        <CheckboxField
          name="oidc.pkceEnabled"
          label="The client has no secret"
          hint="For public clients that use only PKCE."
        />
        {record ? <RemoveSecretField /> : null}
        <LinesField
          name="oidc.additionalScopes"
          label="Additional scopes"
          hint="One per line. openid is always requested."
        />
      </FormSection>
      <FormSection title="Access" description="What people can do once they have signed in.">
        <RoleField
          name="defaultRole"
          label="Default role"
          group={record ? parentOf(record.uid) : parent}
          current={record?.defaultRole === undefined ? undefined : { uid: record.defaultRole }}
          hint="Granted once, at each person's first sign-in, in the provider's group."
        />
        <PassesOn name="defaultRole" group={record ? parentOf(record.uid) : parent}>
          Everybody whom the provider lets sign in gets it.
        </PassesOn>
        <TextField
          name="oidc.groupsClaim"
          label="Groups claim"
          code
          hint="The claim that lists a person's groups. Without it, group mappings don't grant roles, unless a directory pushes groups."
        />
        {record ? null : (
          <SelectField
            name="oidc.correlationRule"
            label="People of a directory are matched by"
            options={[
              { value: "", label: "sub (Okta and most others)" },
              { value: BY_OID, label: "oid (Microsoft Entra ID)" },
            ]}
            hint="The claim that equals a pushed person's externalId. It can't be changed later."
          />
        )}
      </FormSection>
    </FormDrawer>
  );
}

/** What to register at the provider; it holds the provider's ID, which not every service tells before there is one. */
function RedirectUri({
  value,
  isComing,
}: {
  readonly value: string | undefined;
  readonly isComing: boolean;
}): ReactNode {
  const { authority } = useRouteContext({ from: "__root__" }).config.oidc;
  if (value !== undefined)
    return (
      <Notice title="Register this redirect URI at the provider">
        <Code value={value} what="redirect URI" />
        <p>It stays the same once this is saved.</p>
      </Notice>
    );
  if (isComing)
    return (
      <Notice title="Register the redirect URI at the provider">Shown here once the folder is chosen.</Notice>
    );
  return (
    <Notice title="Register the redirect URI after this">
      It is <code dir="ltr">{`${authority}/callback/`}</code> and the ID that this provider gets, shown on its
      page. Until it is registered there, nobody can sign in.
    </Notice>
  );
}

/** Fills in values from a well-known provider's documentation. Keeps values that the user entered. */
function PresetField(): ReactNode {
  const { setValue, getValues } = useFormContext<ProviderValues>();
  const value = useWatch<ProviderValues, "preset">({ name: "preset" });
  const applied = useRef(value);
  const preset = PRESETS.find((one) => one.value === value);
  useEffect(() => {
    if (applied.current === value) return;
    applied.current = value;
    if (!preset) return;
    const set = (name: "name" | "oidc.issuer" | "oidc.groupsClaim", text: string, isFree: boolean) =>
      isFree && setValue(name, text, { shouldDirty: true });
    set(
      "name",
      preset.label,
      isPresetValue(({ label }) => label, getValues("name")),
    );
    set(
      "oidc.issuer",
      preset.issuer,
      isPresetValue(({ issuer }) => issuer, getValues("oidc.issuer")),
    );
    set(
      "oidc.groupsClaim",
      preset.groupsClaim,
      isPresetValue(({ groupsClaim }) => groupsClaim, getValues("oidc.groupsClaim")),
    );
    setValue("oidc.additionalScopes", [...preset.additionalScopes], { shouldDirty: true });
  }, [value, preset, setValue, getValues]);
  return (
    <SelectField
      name="preset"
      label="Preset"
      options={[{ value: "", label: "Other OpenID Connect provider" }, ...PRESETS]}
      hint={preset?.hint ?? "Fills in the fields below with the provider's documented values."}
    />
  );
}

/** Removes the secret of a client that no longer has one. The API doesn't reveal whether one is stored. */
function RemoveSecretField(): ReactNode {
  const { oidc } = useWatch<ProviderValues>();
  if (!oidc?.pkceEnabled || oidc.clientSecret) return null;
  return <CheckboxField name="oidc.removesSecret" label="Remove the stored client secret, if any" />;
}

function IssuerWarning({ was }: { readonly was: string }): ReactNode {
  const issuer = useWatch<ProviderValues, "oidc.issuer">({ name: "oidc.issuer" });
  if (issuer.trim() === was) return null;
  return (
    <Notice tone="warning" title="A different issuer means new accounts">
      Everyone gets a new account without their current access. Changing the issuer back restores the earlier
      accounts.
    </Notice>
  );
}
