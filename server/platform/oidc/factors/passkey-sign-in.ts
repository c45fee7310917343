import type { IncomingMessage, ServerResponse } from "node:http";

import { findVisitor } from "../accounts";
import type { PageContext } from "../page-context";
import { completeInteraction } from "../authentication";
import { expired } from "../open-interaction";
import { claimSignIn } from "../sessions";
import { TryAgain } from "../try-again";
import { withPasskeyAlone } from "./amr";
import { ceremonyOf } from "./passkeys";
import { verifyPasskey } from "./verification";
import { factorsOf } from "./factors.table";

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
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { uid, sent }: { readonly uid: string; readonly sent: string },
): Promise<Again | undefined> {
  const ceremony = ceremonyOf(uid, "sign-in");
  try {
    const shown = await verifyPasskey(context, { request, act: "signIn.passkey", ceremony }, sent);
    if ("sentence" in shown) return { failed: { alert: shown.sentence } };
    const { subject } = shown.proven;
    await claimSignIn(context.database, uid, subject);
    // Read after the claim: an operator may have removed it at the same time.
    if ((await factorsOf(context.database, subject, context.site.passkeys?.host)).length === 0)
      throw expired();
    const visitor = await findVisitor(context.database, subject);
    if (!visitor) return { failed: { alert: "The account of this passkey doesn't exist any more." } };
    const email = visitor.pending ? undefined : visitor.email;
    await completeInteraction(context, request, response, {
      subject,
      email,
      ...withPasskeyAlone(shown.proven),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    const headers = { "retry-after": String(error.seconds) };
    return { failed: { alert: error.message }, status: error.status, headers };
  }
}
