import type { IncomingMessage, ServerResponse } from "node:http";

import type { Recorded } from "../store/recorded";
import { checkPassword, setPassword } from "./accounts";
import { redirect, sendPage } from "./answers";
import { attempt } from "./attempt";
import type { Desk } from "./desk";
import { passwordChangedPage, passwordPage, type Failed } from "./pages";
import { addressOf, clientOf, readForm, Refusal, requireOwnPage } from "./requests";
import { newPasswordViolation, violations } from "./rules";
import { arrivalIn, logAct } from "./sign-in-log";
import { keptOf, requireStillIn, signedIn } from "./signed-in";
import { TryAgain } from "./try-again";

/** GET and POST <issuer>/account/password, for the user with a session in this browser. */
export async function changePassword(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const { session, account } = await signedIn(desk, request, response, "change your password");
  const { email, subject, provider } = account;
  // A local account of another person can have this email.
  if (provider !== null)
    throw new Refusal(
      404,
      "No password to change",
      `You sign in with ${provider}. Change your password there.`,
    );
  const show = async (failed: Failed = {}, status = 200, headers?: Record<string, string>) =>
    sendPage(request, response, await passwordPage(desk.site, { email, failed }), status, headers);
  if (request.method !== "POST")
    return query === "?changed" ? sendPage(request, response, await passwordChangedPage(desk.site)) : show();

  requireOwnPage(desk.site, request);
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
    const address = addressOf(desk.config, request);
    const device = desk.devices.knows(request, email);
    const right = await attempt(desk.throttle, { account: email, device, address }, () =>
      checkPassword(desk.database, email, current, { client: clientOf(response) }),
    );
    const arrival = arrivalIn(desk.config, request);
    const act = "password.change";
    if (!right) {
      await logAct(desk, arrival, { act, subject, reason: "WRONG_PASSWORD" });
      return await show({ fields: { "current-password": "Incorrect current password." } });
    }
    const kept = keptOf(session);
    const first = (queries: Recorded) => requireStillIn(queries, subject, kept);
    await setPassword(desk, { act, subject, arrival }, next, { kept, first, mail: desk.mail });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return show({ alert: error.message }, error.status, { "retry-after": String(error.seconds) });
  }
  redirect(response, `${desk.site.mount}/account/password?changed`);
}
