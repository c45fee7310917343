import type { Endpoint } from "platform-contract/endpoint";

/** A request as a caller describes it: enough to send it, or to show it for running elsewhere. */
export interface RequestInfo {
  /** `id`: of the operation, where it is known, for its page in the API explorer. */
  readonly endpoint: Pick<Endpoint, "method" | "path" | "summary"> & { readonly id?: string };
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  /** As JSON. Secrets are replaced (`withoutSecrets`). */
  readonly body?: unknown;
  /** Why the change is made, in the words of the user. */
  readonly justification?: string | undefined;
}

/** What a call of an endpoint takes. */
export interface CallInput<Query, Body> {
  /** Path variables by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query | undefined;
  readonly body?: Body | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Identifies the press or run that this request belongs to; sent if the service keeps keys. */
  readonly idempotencyKey?: string | undefined;
  /** Why the change is made; sent if the service keeps it. */
  readonly justification?: string | undefined;
}
