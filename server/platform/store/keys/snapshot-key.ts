import { importJWK, SignJWT, type JWK } from "jose";

import { SIGNATURE_TYPE } from "platform-contract/snapshots/signatures";

import { now } from "../clock";
import type { Queries } from "../database";
import { makeSigningKey } from "./es256";
import { keepSecret } from "./secrets";

const NAME = "snapshot-signing-key";

/** Signs nothing but digests of files, so that no verifier of tokens has it. It is not replaced: signatures are kept for years. */
export const snapshotKey = async (queries: Queries): Promise<JWK> =>
  JSON.parse(await keepSecret(queries, NAME, async () => JSON.stringify(await makeSigningKey())));

/**
 * Signs the digest of a file, without `aud`, `exp` and `scope`, which whatever takes tokens requires.
 * @param review uid of the access review whose report the service itself made; missing: the file came from a caller
 * @returns a JWS in compact form
 */
export async function signDigest(
  queries: Queries,
  issuer: string,
  {
    by,
    ...claims
  }: { readonly group: string; readonly digest: string; readonly by: string; readonly review?: string },
): Promise<string> {
  const key = await snapshotKey(queries);
  const { alg = "ES256", kid = "" } = key;
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid, typ: SIGNATURE_TYPE })
    .setIssuer(issuer)
    .setSubject(by)
    .setIssuedAt(Math.floor(now().getTime() / 1000))
    .sign(await importJWK(key, alg));
}
