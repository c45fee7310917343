import * as oidc from "openid-client";

import { causeOf, SignedOutError, UnexpectedError, UnreachableError, UsageError } from "../cli/errors";
import type { Kept } from "./files";
import { isSafe } from "./server";

/** The client that the service's own provider has for this command. */
export const CLIENT_ID = "platform-command";

/** The issuer's endpoints, for a client without a secret. */
export async function discover(issuer: string, clientId: string): Promise<oidc.Configuration> {
  if (!isSafe(issuer)) throw new UsageError(`The issuer ${issuer} is not https.`);
  const { protocol } = new URL(issuer);
  try {
    return await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      execute: protocol === "http:" ? [oidc.allowInsecureRequests] : [],
    });
  } catch (error) {
    throw explained(error, issuer);
  }
}

/** An error of the library, as one of this command. */
export function explained(error: unknown, issuer: string): Error {
  const { host } = new URL(issuer);
  if (error instanceof oidc.ResponseBodyError) {
    const { error: code, status, error_description: reason } = error;
    if (status >= 500 || status === 429)
      return new UnreachableError(`${host} is unavailable (${code}).`, { cause: error });
    if (code === "invalid_grant")
      return new SignedOutError("Your sign-in has ended. Sign in again: platform login");
    return new UnexpectedError(`${host} refused: ${code}${reason ? `, ${reason}` : ""}.`, { cause: error });
  }
  if (error instanceof oidc.AuthorizationResponseError)
    return new SignedOutError(`${host} didn't sign you in: ${error.error_description ?? error.error}.`, {
      cause: error,
    });
  if (error instanceof oidc.ClientError)
    return new UnexpectedError(`${host} gave an unexpected answer: ${error.message}.`, { cause: error });
  return new UnreachableError(`${host} can't be reached: ${causeOf(error)}.`, { cause: error });
}

type Answer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/** What to keep of a token answer; what it leaves out stays as it was. */
export function kept(answer: Answer, before: Omit<Kept, "accessToken" | "who"> & Partial<Kept>): Kept {
  const { access_token: accessToken, refresh_token: refreshToken = before.refreshToken } = answer;
  const seconds = answer.expiresIn();
  const claims = answer.claims();
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    issuer: before.issuer,
    clientId: before.clientId,
    accessToken,
    refreshToken,
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1000,
    who: claims
      ? { subject: claims.sub, email: text(claims["email"]), name: text(claims["name"]) }
      : (before.who ?? { subject: "" }),
  };
}

/** Exchanges the refresh token for new tokens. */
export async function refreshed(before: Kept): Promise<Kept> {
  const { issuer, clientId, refreshToken } = before;
  if (refreshToken === undefined)
    throw new SignedOutError("Your sign-in has ended. Sign in again: platform login");
  const issuing = await discover(issuer, clientId);
  try {
    return kept(await oidc.refreshTokenGrant(issuing, refreshToken), before);
  } catch (error) {
    throw explained(error, issuer);
  }
}

/** Ends a sign-in at its issuer. Returns false if the issuer has no endpoint for that. */
export async function revoke({ issuer, clientId, refreshToken, accessToken }: Kept): Promise<boolean> {
  const issuing = await discover(issuer, clientId);
  if (issuing.serverMetadata().revocation_endpoint === undefined) return false;
  try {
    await oidc.tokenRevocation(issuing, refreshToken ?? accessToken);
    return true;
  } catch (error) {
    throw explained(error, issuer);
  }
}
