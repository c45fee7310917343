/**
 * Operations of the published API that this service does not have (docs/decisions/workloads.md): calls get
 * UNIMPLEMENTED, never the answer of another operation whose path they happen to match.
 */
export const UNSERVED: readonly { readonly rpc: string; readonly path: string }[] = [
  { rpc: "ExchangeRefreshToken", path: "/sts/exchange_refresh_token" },
  { rpc: "HeadlessSessions", path: "/sts/headless_sessions" },
];
