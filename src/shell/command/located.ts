import type { QueryClient } from "@tanstack/react-query";

import type { Kind } from "platform-contract/kind";

import type { Found } from "./found";

/** The result of locating a text. */
export interface Located {
  readonly found: readonly Found[];
  /** Kinds with more matches than shown, with the search parameters of their list. */
  readonly more: readonly { readonly kind: Kind; readonly count: number; readonly search: object }[];
  /** Shown above the results, or instead of them. */
  readonly notes: readonly string[];
}

/** What locating needs to know. */
export interface LocateContext {
  readonly client: QueryClient;
  /** The kinds that the user can list. */
  readonly kinds: readonly Kind[];
  readonly registryHost: string | undefined;
  readonly signal: AbortSignal;
}

export const NOTHING: Located = { found: [], more: [], notes: [] };
