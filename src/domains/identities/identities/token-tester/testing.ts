/** Builds a token with a fake signature, which the browser never verifies. */
export function tokenOf(claims: object, header: object = { alg: "RS256", kid: "k1" }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}
