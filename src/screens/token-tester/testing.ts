/** A token as an issuer would write it, with a signature that nobody made: it is never checked in the browser. */
export function tokenOf(claims: object, header: object = { alg: "RS256", kid: "k1" }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}
