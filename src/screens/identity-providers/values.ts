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
      pkceEnabled,
      additionalScopes: [...(additionalScopes ?? (record ? [] : ["email", "profile"]))],
      groupsClaim,
    },
  };
}

/** The request's body. A secret that nobody enters is not in it, so that the stored one stays. */
export function bodyOf({ name, description, defaultRole, oidc }: ProviderValues): IdentityProviderInput {
  const { issuer, clientId, clientSecret, pkceEnabled, additionalScopes, groupsClaim } = oidc;
  return {
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
    defaultRole,
    oidc: {
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      ...(clientSecret && { clientSecret }),
      ...(pkceEnabled && { pkceEnabled }),
      ...(additionalScopes.length > 0 && { additionalScopes }),
      ...(groupsClaim.trim() && { groupsClaim: groupsClaim.trim() }),
    },
  };
}
