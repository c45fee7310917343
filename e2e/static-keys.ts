import { SignJWT, type CryptoKey } from "jose";

import type { Identity } from "platform-contract/iam/identities";

import { address } from "./api";

/** Signs in as an identity with static keys: exchanges a token signed with one of them. */
export async function exchange(identity: Identity, key: CryptoKey, kid: string): Promise<Response> {
  const { uid, staticKeys } = identity;
  const { issuer, subject } = staticKeys as NonNullable<Identity["staticKeys"]>;
  const audience = new URL(address()).href.replace(/\/$/, "");
  const token = await new SignJWT({ iss: issuer, sub: subject, aud: audience })
    .setProtectedHeader({ alg: "ES256", kid })
    .setExpirationTime("1m")
    .sign(key);
  const url = new URL(`sts/exchange?identity=${uid}`, address());
  return fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
}
