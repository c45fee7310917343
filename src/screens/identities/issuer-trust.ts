/** What of `config.json` says whose tokens the platform accepts. */
export interface Trust {
  /** The issuer that people sign in with; always trusted. */
  readonly oidc: { readonly authority: string };
  /** Undefined: the platform does not say. */
  readonly trustedIssuers?: readonly string[] | undefined;
}

const plain = (issuer: string): string => issuer.trim().replace(/\/+$/, "");

/** Whether it is certain that the platform refuses this issuer's tokens; unknown is not refused. */
export function isUntrusted(issuer: string, { oidc, trustedIssuers }: Trust): boolean {
  const sought = plain(issuer);
  if (sought === "" || trustedIssuers === undefined) return false;
  return ![oidc.authority, ...trustedIssuers].some((trusted) => plain(trusted) === sought);
}
