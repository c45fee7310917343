import type { IncomingMessage, ServerResponse } from "node:http";

import type { Recorded } from "../store/recorded";
import { checkPassword, setPassword } from "./accounts";
import { redirect, sendPage } from "./answers";
import { attempt } from "./attempt";
import type { PageContext } from "./page-context";
import { passwordChangedPage, passwordPage, type Failed } from "./pages";
import { addressOf, clientOf, readForm, Refusal, requireOwnPage } from "./requests";
import { newPasswordViolation, violations } from "./rules";
import { arrivalIn, logAct } from "./sign-in-log";
import { keptOf, requireStillIn, signedIn } from "./signed-in";
import { TryAgain } from "./try-again";

/** GET and POST <issuer>/account/password, for the user with a session in this browser. */
export async function changePassword(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const { session, account } = await signedIn(context, request, response, "change your password");
  const { email, subject, provider } = account;
  // A local account of another person can have this email.
  if (provider !== null)
    throw new Refusal(
      404,
      "No password to change",
      `You sign in with ${provider}. Change your password there.`,
    );
  const show = async (failed: Failed = {}, status = 200, headers?: Record<string, string>) =>
    sendPage(request, response, await passwordPage(context.site, { email, failed }), status, headers);
  if (request.method !== "POST")
    return query === "?changed"
      ? sendPage(request, response, await passwordChangedPage(context.site))
      : show();

  requireOwnPage(context.site, request);
  const form = await readForm(request);
  const current = form.get("current-password") ?? "";
  const next = form.get("new-password") ?? "";
  const fields = violations({
    "current-password": current === "" ? "Enter your current password." : undefined,
    "new-password":
      newPasswordViolation(next, email) ??
      (next === current ? "Choose a password that's different from your current one." : undefined),
  });
  if (Object.keys(fields).length > 0) return show({ fields });
  try {
    const address = addressOf(context.config, request);
    const device = context.devices.knows(request, email);
    const right = await attempt(context.throttle, { account: email, device, address }, () =>
      checkPassword(context.database, email, current, { client: clientOf(response) }),
    );
    const arrival = arrivalIn(context.config, request);
    const act = "password.change";
    if (!right) {
      await logAct(context, arrival, { act, subject, reason: "WRONG_PASSWORD" });
      return await show({ fields: { "current-password": "Incorrect current password." } });
    }
    const kept = keptOf(session);
    const first = (queries: Recorded) => requireStillIn(queries, subject, kept);
    await setPassword(context, { act, subject, arrival }, next, { kept, first, mail: context.mail });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return show({ alert: error.message }, error.status, { "retry-after": String(error.seconds) });
  }
  redirect(response, `${context.site.mount}/account/password?changed`);
}
