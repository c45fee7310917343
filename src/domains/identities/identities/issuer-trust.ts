import { trimEndOf } from "platform-contract/trim";

/** The part of `config.json` that lists the issuers whose tokens the platform accepts. */
export interface Trust {
  /** The issuer that people sign in with; always trusted. */
  readonly oidc: { readonly authority: string };
  /** Undefined if the platform doesn't list them. */
  readonly trustedIssuers?: readonly string[] | undefined;
}

const plain = (issuer: string): string => trimEndOf(issuer.trim(), "/");

/** True if the platform certainly rejects this issuer's tokens; false if unknown. */
export function isUntrusted(issuer: string, { oidc, trustedIssuers }: Trust): boolean {
  const sought = plain(issuer);
  if (sought === "" || trustedIssuers === undefined) return false;
  return ![oidc.authority, ...trustedIssuers].some((trusted) => plain(trusted) === sought);
}
