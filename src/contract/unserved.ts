/**
 * Operations of the published API that this service does not have (docs/decisions.md, "Identity providers"): calls get
 * UNIMPLEMENTED, never the answer of another operation whose path they happen to match.
 */
export const UNSERVED: readonly { readonly rpc: string; readonly path: string }[] = [
  ...["generateScimToken", "regenerateScimToken", "revokeScimToken", "setScimEnabled"].map((verb) => ({
    rpc: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`,
    path: `/iam/v2/identityProviders/{uid}:${verb}`,
  })),
  { rpc: "ExchangeRefreshToken", path: "/sts/exchange_refresh_token" },
  { rpc: "HeadlessSessions", path: "/sts/headless_sessions" },
];
