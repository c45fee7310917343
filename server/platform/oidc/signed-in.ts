import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

import type { Queries } from "../store/database";
import { findAccount, type Account } from "./accounts";
import type { PageContext } from "./page-context";
import { lacksFactor } from "./factors/requirement";
import { Refusal } from "./requests";
import { isStillIn, lockAccount, type Kept } from "./sessions";

export interface SignedIn {
  readonly session: Awaited<ReturnType<Provider["Session"]["get"]>>;
  readonly account: Account;
}

/**
 * The session in this browser and its account; `todo` is what it is needed for. Throws a Refusal if there is none, or if
 * it was opened with the password alone and a second factor is needed since.
 */
export async function signedIn(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  todo: string,
): Promise<SignedIn> {
  const session = await context.provider.Session.get(context.provider.createContext(request, response));
  const account = session.accountId ? await findAccount(context.database, session.accountId) : undefined;
  if (account && !(await lacksFactor(context.database, context.config, session))) return { session, account };
  throw new Refusal(
    401,
    "Sign in first",
    `To ${todo}, sign in to the console in this browser and come back to this page.`,
  );
}

/**
 * For the transaction of an act, at its beginning: throws a Refusal if what allowed the act was ended since the request
 * began, as by an operator who resets the account.
 */
export async function requireStillIn(queries: Queries, subject: string, kept: Kept): Promise<void> {
  await lockAccount(queries, subject);
  if (await isStillIn(queries, subject, kept)) return;
  throw new Refusal(401, "Nothing was changed", "You were signed out meanwhile. Sign in again.");
}

/** What of an account survives when its other sessions end: this one. */
export const keptOf = (session: SignedIn["session"]): Kept => ({
  session: session.jti,
  grants: Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []),
});
