import type { IdentityProvider, IdentityProviderInput } from "~/contract/iam/identity-providers";

export interface ProviderValues {
  /** Fills in other fields, and is sent nowhere. */
  preset: string;
  name: string;
  description: string;
  defaultRole: string;
  oidc: {
    issuer: string;
    clientId: string;
    /** What somebody enters now; the stored one is never shown. */
    clientSecret: string;
    /** Of a record, which may have one: nobody is told. */
    isStored: boolean;
    removesSecret: boolean;
    pkceEnabled: boolean;
    additionalScopes: string[];
    groupsClaim: string;
  };
}

export function valuesOf(record: IdentityProvider | undefined): ProviderValues {
  const {
    issuer = "",
    clientId = "",
    pkceEnabled = false,
    additionalScopes,
    groupsClaim = "",
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
    },
  };
}

/** Stands for the stored secret in the bodies that are compared: unchanged, it is not sent. Nobody can type it. */
const STORED = "\0";

/** The request's body. A secret that nobody enters or removes is no change, so that the stored one stays. */
export function bodyOf({ name, description, defaultRole, oidc }: ProviderValues): IdentityProviderInput {
  const { issuer, clientId, isStored, removesSecret, pkceEnabled, additionalScopes, groupsClaim } = oidc;
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
    },
  };
}
