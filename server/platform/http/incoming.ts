import type { Caller } from "../access/caller";
import type { PathVariables } from "../standard/call";
import { Failure } from "../../status";
import type { Arrival } from "../store/database";
import { personUid } from "../store/uids";
import type { Over } from "../../turns";
import type { Justification } from "./justification";

export interface CallFacts {
  readonly operation: string;
  /** Uid of the caller's identity. */
  readonly actor: string;
  /** Uid of the record in the path, or of the one that was created. */
  readonly record?: string;
}

/** A request of an operation, over any transport. */
export interface Incoming {
  readonly requestId: string;
  /** The bearer token, without "Bearer". */
  readonly bearer: string | undefined;
  /** The client's network (see `addressOf`), for rate limits. */
  readonly address: string;
  readonly transport: "http" | "grpc";
  /** For the log: the client's own address, and what it says it is. */
  readonly client: { readonly address: string; readonly userAgent: string | undefined };
  /** The caller's trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Aborted when the response has been sent or the client is gone. */
  readonly over: Over;
  readonly path: PathVariables;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** Set if the transport states which of several operations with the same method and path is meant. */
  readonly only?: string;
  /** The Idempotency-Key header, or metadata of that name. */
  readonly idempotencyKey?: string | undefined;
  /** From the Change-Justification header, or metadata of that name. */
  readonly justification?: Justification;
  /** Gets what the line of the request log says about the call. */
  note?(facts: CallFacts): void;
  /** The body as an object; only read after authentication. Throws a Failure. */
  body(): Promise<Record<string, unknown>>;
}

/** Whose share of the service a call uses: limits of tokens must not multiply it. */
export const payerOf = ({ principal, key }: Caller): string => principal ?? key;

/** The identity that the log names; a newcomer becomes this person with their first write. */
export const identityOf = ({ identities, issuer, subject }: Caller): string =>
  identities[0] ?? personUid(issuer, subject);

export const arrivalOf = ({
  requestId,
  transport,
  client,
  justification,
}: Pick<Incoming, "requestId" | "transport" | "client" | "justification">): Arrival => ({
  requestId,
  transport,
  address: client.address,
  ...(client.userAgent !== undefined && { userAgent: client.userAgent }),
  ...(justification?.text !== undefined && { justification: justification.text }),
});

export const codeOf = (error: unknown): string => (error instanceof Failure ? error.name : "INTERNAL");
