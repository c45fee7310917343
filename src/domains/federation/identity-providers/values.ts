import type { IdentityProvider, IdentityProviderInput } from "platform-contract/iam/identity-providers";

export const BY_OID = "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID";

export interface ProviderValues {
  /** Only fills in other fields; never sent. */
  preset: string;
  name: string;
  description: string;
  defaultRole: string;
  oidc: {
    issuer: string;
    clientId: string;
    /** The newly entered secret; the stored one is never shown. */
    clientSecret: string;
    /** True for an existing record, which can have a secret: the API doesn't reveal whether it does. */
    isStored: boolean;
    removesSecret: boolean;
    pkceEnabled: boolean;
    additionalScopes: string[];
    groupsClaim: string;
    /** Empty for sub. Cannot be changed later. */
    correlationRule: string;
  };
}

export function valuesOf(record: IdentityProvider | undefined): ProviderValues {
  const {
    issuer = "",
    clientId = "",
    pkceEnabled = false,
    additionalScopes,
    groupsClaim = "",
    correlationRule = "",
  } = record?.oidc ?? {};
  return {
    preset: "",
    name: record?.name ?? "",
    description: record?.description ?? "",
    defaultRole: record?.defaultRole ?? "",
    oidc: {
      issuer,
      clientId,
      clientSecret: "",
      isStored: record !== undefined,
      removesSecret: false,
      pkceEnabled,
      additionalScopes: [...(additionalScopes ?? (record ? [] : ["email", "profile"]))],
      groupsClaim,
      correlationRule,
    },
  };
}

/** For a new provider that is set up as another one: without its name and its secret, which nobody can read. */
export function valuesLike(record: IdentityProvider): ProviderValues {
  const values = valuesOf(record);
  return { ...values, name: "", oidc: { ...values.oidc, isStored: false } };
}

/** Placeholder for the stored secret when comparing bodies: if unchanged, it isn't sent. Users can't type it. */
const STORED = "\0";

/** What a test sign-in tries: a secret that is not entered is the stored one. */
export function testBodyOf(values: ProviderValues) {
  const { name, oidc } = bodyOf(values);
  const { clientSecret, ...rest } = oidc;
  return {
    ...(name && { name }),
    oidc: { ...rest, ...(clientSecret && clientSecret !== STORED && { clientSecret }) },
  };
}

/** Builds the request body. If the secret is neither entered nor removed, it counts as unchanged and stays stored. */
export function bodyOf({ name, description, defaultRole, oidc }: ProviderValues): IdentityProviderInput {
  const {
    issuer,
    clientId,
    isStored,
    removesSecret,
    pkceEnabled,
    additionalScopes,
    groupsClaim,
    correlationRule,
  } = oidc;
  const before = isStored && !(removesSecret && pkceEnabled) ? STORED : "";
  const clientSecret = oidc.clientSecret || before;
  return {
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
    defaultRole,
    oidc: {
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      ...((clientSecret || isStored) && { clientSecret }),
      ...(pkceEnabled && { pkceEnabled }),
      ...(additionalScopes.length > 0 && { additionalScopes }),
      ...(groupsClaim.trim() && { groupsClaim: groupsClaim.trim() }),
      ...(correlationRule && { correlationRule }),
    },
  };
}
