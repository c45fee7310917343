import type { Endpoint } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import type { Caller } from "../access/caller";
import type { Arrival } from "../store/database";

/** Path variables by name; "" for variables that the endpoint does not have. */
export type PathVariables = Readonly<Record<string, string>> & {
  readonly uid: string;
  readonly parent: string;
};

/** A call that is authenticated and, as far as the path decides, authorized. */
export interface Call {
  readonly caller: Caller;
  readonly path: PathVariables;
  /** Parsed with the endpoint's schemas, under canonical names. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The JSON object of the request, with camelCase keys, not validated yet. */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Violations of query and body values that could not be parsed. Only operations with a body get any: `write` reports
   * them together with the handler's own.
   */
  readonly unread: readonly FieldViolation[];
  /** Endpoint id; set by `createHandlers` for all transports. */
  readonly operation?: string;
  /** How the request arrived, for the log; missing in tests that call handlers. */
  readonly arrival?: Arrival;
  /** For a token: which identity got it, for the line of the request log. */
  note?(identity: string): void;
  /** From the request's Idempotency-Key; only a POST has one. */
  readonly idempotencyKey?: string;
  /** What the handler's `before` has found. */
  readonly found?: unknown;
  /** The intended operation, if the transport distinguishes those with the same method and path. */
  readonly only?: string;
}

/** Does work in one of the caller's turns at the database. */
export type InTurn = <R>(work: () => Promise<R>) => Promise<R>;

/** Returns the wire object, or undefined for an empty response; throws a Failure. */
export interface Handler {
  (call: Call): Promise<unknown>;
  /**
   * Runs first, without a turn at the database: what has to wait for another program, which may hang. What it returns is
   * `found` in the call. Throws a Failure, and then nothing has changed here.
   */
  readonly before?: (call: Call, inTurn: InTurn) => Promise<unknown>;
}

/** The query of a call of this endpoint: its schemas have parsed it, which the type of a call does not say. */
export const queryOf = <Q>(_endpoint: Endpoint<Q>, { query }: Pick<Call, "query">): Q => query as Q;

/** The handler of an operation. Throws if there is none. */
export function handlerOf(handlers: ReadonlyMap<string, Handler>, id: string): Handler {
  const handler = handlers.get(id);
  if (!handler) throw new Error(`The operation ${id} has no handler`);
  return handler;
}
