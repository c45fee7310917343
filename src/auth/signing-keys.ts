import { MetadataService, OidcClientSettingsStore, type SigningKey } from "oidc-client-ts";

/**
 * Reads the public keys that the OpenID provider signs with, as JWKs (RFC 7517), from the `jwks_uri` of its metadata. Throws
 * if they cannot be read.
 */
export async function readSigningKeys(authority: string): Promise<readonly SigningKey[]> {
  const settings = new OidcClientSettingsStore({
    authority,
    client_id: "",
    redirect_uri: "",
    fetchRequestCredentials: "omit",
  });
  return (await new MetadataService(settings).getSigningKeys()) ?? [];
}
