import { SignJWT, exportJWK, generateKeyPair, type JWTPayload } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { closeServer } from "./app";

export interface TestIssuer {
  /** Its issuer identifier, without a trailing slash. */
  readonly url: string;
  /**
   * A token signed with the published key: `claims` over an issue time of now, five minutes of life and this issuer.
   * Another `typ` or a time in the past makes one that has to be refused.
   */
  sign(claims: JWTPayload, options?: { typ?: string; issuedAt?: Date; seconds?: number }): Promise<string>;
  /** From here on nothing answers, as when the issuer is down; its keys may still be remembered. */
  stop(): Promise<void>;
}

/** An OpenID issuer on loopback with discovery and keys, as a build system or a company runs one. */
export async function startIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "test", alg: "ES256", use: "sig" };
  const documents = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const document = documents.get(request.url ?? "");
    response.writeHead(document ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  documents.set("/.well-known/openid-configuration", { issuer: url, jwks_uri: `${url}/keys` });
  documents.set("/keys", { keys: [key] });
  return {
    url,
    sign: (claims, options) => signed(privateKey, { iss: url, ...claims }, options),
    stop: () => closeServer(server),
  };
}

/** Signs claims with an ES256 key called `kid`, or without a name. */
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
