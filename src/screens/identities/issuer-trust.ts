/** The part of `config.json` that says whose tokens the platform accepts. */
export interface Trust {
  /** The issuer that people sign in with; always trusted. */
  readonly oidc: { readonly authority: string };
  /** Undefined: the platform does not say. */
  readonly trustedIssuers?: readonly string[] | undefined;
}

const plain = (issuer: string): string => issuer.trim().replace(/\/+$/, "");

/** Whether the platform certainly rejects this issuer's tokens; false where that is not known. */
export function isUntrusted(issuer: string, { oidc, trustedIssuers }: Trust): boolean {
  const sought = plain(issuer);
  if (sought === "" || trustedIssuers === undefined) return false;
  return ![oidc.authority, ...trustedIssuers].some((trusted) => plain(trusted) === sought);
}
