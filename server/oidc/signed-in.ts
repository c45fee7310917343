import type { IncomingMessage, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";

import { findAccount, type Account } from "./accounts";
import type { Desk } from "./desk";
import { Refusal } from "./requests";
import type { Kept } from "./sessions";

export interface SignedIn {
  readonly session: Awaited<ReturnType<Provider["Session"]["get"]>>;
  readonly account: Account;
}

/** The session in this browser and its account; `todo` is what it is needed for. Throws a Refusal if there is none. */
export async function signedIn(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  todo: string,
): Promise<SignedIn> {
  const session = await desk.provider.Session.get(desk.provider.createContext(request, response));
  const account = session.accountId ? await findAccount(desk.database, session.accountId) : undefined;
  if (account) return { session, account };
  throw new Refusal(
    401,
    "Sign in first",
    `To ${todo}, sign in to the console in this browser and come back to this page.`,
  );
}

/** What of an account survives when its other sessions end: this one. */
export const keptOf = (session: SignedIn["session"]): Kept => ({
  session: session.jti,
  grants: Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []),
});
