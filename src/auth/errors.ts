/**
 * Why there is no token.
 * - `refused`: the provider refused; `code` is its OAuth error (RFC 6749 5.2), `detail` its own message.
 * - `stale`: a response to a sign-in that this tab did not start or has already completed.
 * - `unreachable`: no response, or not an OpenID response; the same request can succeed later.
 * - `ended`: the session is over; the user must sign in again.
 */
export class AuthError extends Error {
  constructor(
    readonly kind: "refused" | "stale" | "unreachable" | "ended",
    message: string,
    readonly options: {
      readonly code?: string | undefined;
      readonly detail?: string | undefined;
      /** Where the failed sign-in would have returned to; not validated yet. */
      readonly returnPath?: unknown;
    } = {},
  ) {
    super(message);
    this.name = "AuthError";
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  access_denied: "Sign-in was canceled or denied.",
  login_required: "You need to sign in again.",
  interaction_required: "You need to sign in again.",
  consent_required: "You need to sign in again.",
  account_selection_required: "You need to sign in again.",
  server_error: "The sign-in service has a problem. Try again in a moment.",
  temporarily_unavailable: "The sign-in service is too busy. Try again in a moment.",
};

/** Returns a sentence for an OAuth or OpenID Connect error code (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export const sentenceOf = (code: string): string =>
  SENTENCES[code] ?? "The sign-in service rejected this console's request.";
