import { SignJWT, exportJWK, generateKeyPair, type JWTPayload } from "jose";

import { closeServer, listen, type Secured } from "./site";

export interface TestIssuer {
  /** The issuer identifier, without a trailing slash. */
  readonly url: string;
  /**
   * A token signed with the published key: `claims` override an issue time of now, five minutes of validity and this
   * issuer. Another `typ` or a time in the past creates one that must be rejected.
   */
  sign(claims: JWTPayload, options?: { typ?: string; issuedAt?: Date; seconds?: number }): Promise<string>;
  /** Stops responding, as when the issuer is down; its keys may still be cached. */
  stop(): Promise<void>;
}

/** An OpenID issuer, at first on loopback, with discovery and keys, like that of a build system or a company. */
export async function startIssuer(secured?: Secured): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "test", alg: "ES256", use: "sig" };
  const documents = new Map<string, unknown>();
  const { server, url } = await listen((request, response) => {
    const document = documents.get(request.url ?? "");
    response.writeHead(document ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  }, secured);
  documents.set("/.well-known/openid-configuration", { issuer: url, jwks_uri: `${url}/keys` });
  documents.set("/keys", { keys: [key] });
  return {
    url,
    sign: (claims, options) => signed(privateKey, { iss: url, ...claims }, options),
    stop: () => closeServer(server),
  };
}

/** Signs claims with an ES256 key with the key id `kid`, or without one. */
export function signed(
  key: CryptoKey,
  claims: JWTPayload,
  {
    typ = "JWT",
    issuedAt = new Date(),
    seconds = 300,
    kid = "test",
  }: { typ?: string; issuedAt?: Date; seconds?: number; kid?: string | null } = {},
): Promise<string> {
  const at = Math.floor(issuedAt.getTime() / 1000);
  return new SignJWT({ iat: at, exp: at + seconds, ...claims })
    .setProtectedHeader({ alg: "ES256", typ, ...(kid !== null && { kid }) })
    .sign(key);
}
