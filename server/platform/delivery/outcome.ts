import { isRefused, TookTooLong, UnlistedHost } from "../../outbound";

/** The sink responded, but not with success. */
export class NoSuccess extends Error {
  constructor(readonly status: number) {
    super(`the sink responded with ${status}`);
  }
}

/** How an attempt ended. Never anything of the response but its status: the response can be another tenant's secret. */
export interface DeliveryOutcome {
  readonly status?: number;
  readonly error?: string;
}

/** What a network error means to the owner of the sink; by its code, since messages contain addresses. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before there was a response",
  EPIPE: "the connection was closed before there was a response",
  UND_ERR_SOCKET: "the connection was closed before there was a response",
  UND_ERR_CONNECT_TIMEOUT: "there was no connection in time",
  ETIMEDOUT: "there was no connection in time",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the host",
  CERT_HAS_EXPIRED: "the certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is not signed by a known authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is not signed by a known authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not signed by a known authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is not signed by a known authority",
};
/** The same for a name without an address and for one in a private network, as when the subscription was created. */
const NO_ADDRESS = "the host has no address on the internet";

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];

function sentenceOf(error: unknown): string {
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof UnlistedHost))
    return "this service may not send events to the host";
  if (isRefused(error)) return NO_ADDRESS;
  if (causes.some((cause) => cause instanceof TookTooLong)) return "there was no complete response in time";
  if (causes.some((cause) => String(Object(cause).message).includes("unexpected redirect")))
    return "the response was a redirect, which is not followed";
  for (const cause of causes) {
    const { code = "", syscall = "" }: { code?: string; syscall?: string } = Object(cause);
    if (code === "ENOTFOUND") return NO_ADDRESS;
    if (syscall.startsWith("query") || code === "EAI_AGAIN") return "the host name could not be resolved";
    const words = WORDS[code];
    if (words !== undefined) return words;
    if (/^(?:ERR_SSL|EPROTO)/.test(code)) return "no TLS connection was possible";
  }
  return "the request failed";
}

/** What the log of deliveries says of a failed attempt. */
export const failureOf = (error: unknown): DeliveryOutcome =>
  error instanceof NoSuccess ? { status: error.status } : { error: sentenceOf(error) };
