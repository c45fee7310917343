import {
  ErrorResponse,
  ErrorTimeout,
  OidcClient,
  WebStorageStateStore,
  type SigninResponse,
  type UserProfile,
} from "oidc-client-ts";

import { withTimeout } from "platform-client/timeout";

import type { Config } from "../config";

import { AuthError, sentenceOf } from "./errors";
import { keptInvite } from "./invite";
import { takeProvider } from "./provider-hint";
import { samePerson, type TokenSet } from "./tokens";

/** The OpenID provider of `config.json`. All methods throw only AuthErrors. */
export interface Provider {
  /**
   * Returns the URL of a sign-in that comes back to `returnPath` (code flow, PKCE S256, state, nonce). With `prompt`
   * "login" the provider prompts even a user who is signed in there.
   */
  begin(returnPath: string, prompt?: "login"): Promise<string>;
  /** Throws if the provider is down: called before leaving a page that the browser could not restore. */
  reach(): Promise<void>;
  /** Redeems the code of a callback; works once. */
  finish(href: string): Promise<{ readonly tokens: TokenSet; readonly returnPath: unknown }>;
  refresh(tokens: TokenSet): Promise<TokenSet>;
  /**
   * Gets new tokens from the provider's own session, without a prompt (`prompt=none`, OpenID Connect Core 3.1.2.1):
   * `visit` opens a URL and returns the callback URL. Throws `refused` if that is not possible.
   */
  renewSilently(tokens: TokenSet, visit: (address: string) => Promise<string>): Promise<TokenSet>;
  /** Best effort: an issuer without revocation lets tokens expire. */
  revoke(tokens: TokenSet): Promise<void>;
  /** URL that ends the provider's own session (RP-initiated logout); undefined if the issuer has none. */
  signOutAddress(tokens: TokenSet | undefined): Promise<string | undefined>;
}

const REQUEST_TIMEOUT_SECONDS = 15;
const isLate = (error: unknown) => error instanceof DOMException && error.name === "TimeoutError";
// Temporary errors of the token endpoint, not refusals (RFC 6749 4.1.2.1).
const PASSING = ["server_error", "temporarily_unavailable", "slow_down"];

export function createProvider(
  { oidc, baseUrl }: Pick<Config, "oidc" | "baseUrl">,
  storage: Storage,
  now: () => number,
): Provider {
  const client = new OidcClient({
    authority: oidc.authority,
    client_id: oidc.clientId,
    scope: oidc.scope,
    redirect_uri: baseUrl,
    post_logout_redirect_uri: baseUrl,
    stateStore: new WebStorageStateStore({ prefix: "platform-console:sign-in:", store: storage }),
    fetchRequestCredentials: "omit",
    requestTimeoutInSeconds: REQUEST_TIMEOUT_SECONDS,
    // Keeps the ID token claims that are compared below.
    filterProtocolClaims: false,
  });

  const asAuthError = (error: unknown): AuthError => {
    if (error instanceof AuthError) return error;
    const { error: code, error_description: detail } = error instanceof ErrorResponse ? error : {};
    if (code && !PASSING.includes(code))
      return new AuthError("refused", sentenceOf(code), { code, detail: detail ?? undefined });
    const { message } = error instanceof Error ? error : { message: String(error) };
    if (/no matching state|does not match|no state in response/i.test(message))
      return new AuthError("stale", "This sign-in was already completed, or started in another tab.");
    const silent = error instanceof TypeError || error instanceof ErrorTimeout || isLate(error);
    const what = silent ? "can't be reached" : "returned an unexpected response";
    return new AuthError("unreachable", `The sign-in service at ${oidc.authority} ${what}.`, {
      detail: detail ?? message,
    });
  };

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asAuthError(error);
    }
  };

  const tokensOf = (response: SigninResponse, previous?: TokenSet): TokenSet => {
    const profile: Partial<UserProfile> = response.profile;
    const issuer = profile.iss ?? previous?.issuer;
    const subject = profile.sub ?? previous?.subject;
    if (!response.access_token || !issuer || !subject)
      throw new AuthError(
        "unreachable",
        `The sign-in service at ${oidc.authority} returned an incomplete response.`,
      );
    return {
      accessToken: response.access_token,
      // Without rotation the old refresh token stays valid (RFC 6749 6).
      refreshToken: response.refresh_token ?? previous?.refreshToken,
      idToken: response.id_token ?? previous?.idToken,
      scope: response.scope ?? previous?.scope,
      obtainedAt: now(),
      expiresAt: response.expires_at,
      issuer,
      subject,
      email: profile.email ?? previous?.email,
      name: profile.name ?? profile.preferred_username ?? previous?.name,
    };
  };

  const exchange = async (href: string): Promise<SigninResponse> => {
    const { issuer } = await client.metadataService.getMetadata();
    // Providers with RFC 9207 send `iss`: a response from another issuer is not ours.
    const sender = new URL(href).searchParams.get("iss");
    if (sender !== null && sender !== issuer)
      throw new AuthError("stale", "The response to this sign-in came from a different service.");
    const response = await client.processSigninResponse(href);
    // OpenID Connect Core 3.1.3.7; the token comes directly from the token endpoint, so its signature needs no check.
    const { iss, aud }: Partial<UserProfile> = response.profile;
    if (iss !== issuer || ![aud].flat().includes(oidc.clientId))
      throw new AuthError("refused", "The sign-in service issued a token for a different client.");
    return response;
  };

  const reach = async (): Promise<void> => {
    const { ok, status } = await withTimeout(REQUEST_TIMEOUT_SECONDS * 1000, (signal) =>
      fetch(client.settings.metadataUrl, { cache: "no-store", credentials: "omit", signal }),
    );
    if (!ok) throw new Error(`HTTP status ${status}`);
  };

  return {
    reach: () => guarded(reach),

    begin: (returnPath, prompt) =>
      guarded(async () => {
        const { path, provider } = takeProvider(returnPath);
        const request = await client.createSigninRequest({
          state: { returnPath: path },
          nonce: crypto.randomUUID(),
          ...(prompt && { prompt }),
          // A flag, never the code: a user with an invite can create an account there.
          extraQueryParams: {
            ...oidc.extraParams,
            ...(keptInvite(storage) && { invite: "1" }),
            ...(provider && { idp_hint: provider }),
          },
        });
        return request.url;
      }),

    finish: (href) =>
      guarded(async () => {
        const { state } = await client.readSigninResponseState(href);
        const { returnPath }: { returnPath?: unknown } = Object(state.data);
        try {
          return { tokens: tokensOf(await exchange(href)), returnPath };
        } catch (error) {
          const { kind, message, options } = asAuthError(error);
          throw new AuthError(kind, message, { ...options, returnPath });
        }
      }),

    refresh: (tokens) =>
      guarded(async () => {
        const state = {
          refresh_token: tokens.refreshToken ?? "",
          session_state: null,
          profile: { iss: tokens.issuer, sub: tokens.subject } as UserProfile,
          ...(tokens.idToken !== undefined && { id_token: tokens.idToken }),
          ...(tokens.scope !== undefined && { scope: tokens.scope }),
        };
        return tokensOf(await client.useRefreshToken({ state }), tokens);
      }),

    renewSilently: (tokens, visit) =>
      guarded(async () => {
        await client.clearStaleState();
        const request = await client.createSigninRequest({
          prompt: "none",
          nonce: crypto.randomUUID(),
          // Some providers require the hint (OpenID Connect Core 3.1.2.1); it identifies the session.
          ...(tokens.idToken !== undefined && { id_token_hint: tokens.idToken }),
          extraQueryParams: { ...oidc.extraParams },
        });
        const answer = await visit(request.url).catch(async (error: unknown) => {
          if (!(error instanceof AuthError) || error.kind !== "unreachable") throw error;
          // No response from a reachable provider: its policy or this console's forbids framing.
          await reach();
          throw new AuthError("refused", error.message, error.options);
        });
        const renewed = tokensOf(await exchange(answer), tokens);
        if (!samePerson(renewed, tokens))
          throw new AuthError("refused", "Someone else is signed in at the sign-in service.");
        return renewed;
      }),

    revoke: (tokens) =>
      guarded(async () => {
        if (!tokens.refreshToken || !(await client.metadataService.getRevocationEndpoint())) return;
        await client.revokeToken(tokens.refreshToken, "refresh_token");
      }),

    signOutAddress: (tokens) =>
      guarded(async () => {
        if (!(await client.metadataService.getEndSessionEndpoint())) return undefined;
        const hint = tokens?.idToken;
        const request = await client.createSignoutRequest({
          ...(hint !== undefined && { id_token_hint: hint }),
        });
        return request.url;
      }),
  };
}
