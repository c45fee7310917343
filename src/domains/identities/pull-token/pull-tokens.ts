import type { Identity } from "platform-contract/iam/identities";

/** The role that a pull token's identity has. */
export const PULL_ROLE = "registry.pull";

/** Who issues the tokens that a console at this address signs. */
export const pullTokenIssuer = (baseUrl: string): string => new URL("pull-tokens", baseUrl).href;

/** What a subject says that its tokens can pull: `acme/base`, or `*` for all that their identity may; undefined otherwise. */
export const scopeOfSubject = (subject: string): string | undefined =>
  /^pull-[0-9a-f-]{36}@(\*|[a-z0-9._-]+\/[a-z0-9._-]+)$/.exec(subject)?.[1];

/** The keys of an identity that a pull token belongs to: signed here, for this registry alone; undefined for any other. */
export function pullTokenKeys(
  { staticKeys }: Identity,
  baseUrl: string,
  audience: string | undefined,
): Identity["staticKeys"] {
  const isOne =
    staticKeys?.issuer === pullTokenIssuer(baseUrl) &&
    audience !== undefined &&
    staticKeys.audiences?.[0] === audience &&
    scopeOfSubject(staticKeys.subject) !== undefined;
  return isOne ? staticKeys : undefined;
}
