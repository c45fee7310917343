import type { IncomingMessage, ServerResponse } from "node:http";

import { findVisitor } from "../accounts";
import type { Desk } from "../desk";
import { finish } from "../enter";
import { expired } from "../open-interaction";
import { claimSignIn } from "../sessions";
import { TryAgain } from "../try-again";
import { withPasskeyAlone } from "./amr";
import { ceremonyOf } from "./passkeys";
import { passkeyShown } from "./shown";
import { factorsOf } from "./stored";

/** What to show in the sign-in page again. */
interface Again {
  readonly failed: { readonly alert: string };
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/**
 * Signs in with a passkey in place of email and password: it says whose it is, and has verified the person. Returns what
 * to show if it was refused.
 */
export async function signInWithPasskey(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  { uid, sent }: { readonly uid: string; readonly sent: string },
): Promise<Again | undefined> {
  const ceremony = ceremonyOf(uid, "sign-in");
  try {
    const shown = await passkeyShown(desk, { request, act: "signIn.passkey", ceremony }, sent);
    if ("sentence" in shown) return { failed: { alert: shown.sentence } };
    const { subject } = shown.proven;
    await claimSignIn(desk.database, uid, subject);
    // Read after the claim: an operator may have removed it at the same time.
    if ((await factorsOf(desk.database, subject, desk.site.passkeys?.host)).length === 0) throw expired();
    const visitor = await findVisitor(desk.database, subject);
    if (!visitor) return { failed: { alert: "The account of this passkey doesn't exist any more." } };
    const email = visitor.pending ? undefined : visitor.email;
    await finish(desk, request, response, { subject, email, ...withPasskeyAlone(shown.proven) });
    return undefined;
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    const headers = { "retry-after": String(error.seconds) };
    return { failed: { alert: error.message }, status: error.status, headers };
  }
}
