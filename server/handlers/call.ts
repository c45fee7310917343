import type { FieldViolation } from "~/contract/status";

import type { Caller } from "../access/caller";

/** The variables of a path as they stand in it, by name; "" where the endpoint has none. */
export type PathVariables = Readonly<Record<string, string>> & {
  readonly uid: string;
  readonly parent: string;
};

/** One authenticated and, as far as the path decides, authorized call. */
export interface Call {
  readonly caller: Caller;
  readonly path: PathVariables;
  /** Decoded by the endpoint's schemas, under the canonical names. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The JSON object that was sent, with camelCase keys, not judged yet. */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * What of query and body could not be read. Only operations with a body are called with any: `write` refuses it
   * together with what they find themselves.
   */
  readonly unread: readonly FieldViolation[];
  /** The id of the endpoint; said by `createHandlers`, for every transport. */
  readonly operation?: string;
  /** The operation that is meant, where the transport tells those apart that share a method and path. */
  readonly only?: string;
}

/** Answers the wire object, undefined for an empty answer; throws a Failure. */
export type Handler = (call: Call) => Promise<unknown>;
