import type { IncomingMessage, ServerResponse } from "node:http";

import { allowance, TooManyMails } from "../mail/post";
import { LINK_S, findLink, takeLink } from "../store/mail/account-links";
import { normalizeEmail, setPassword } from "./accounts";
import { sendPage } from "./answers";
import type { PageContext } from "./page-context";
import { expectedEmail, wait } from "./interaction";
import {
  askSomebodyPage,
  forgotPasswordPage,
  passwordResetPage,
  resetAskedPage,
  resetPasswordPage,
} from "./mail-pages";
import { interactionOf } from "./open-interaction";
import type { Failed } from "./pages";
import { addressOf, clientOf, readForm, Refusal, requireOwnPage } from "./requests";
import { emailViolation, newPasswordViolation, violations } from "./rules";
import { arrivalIn } from "./sign-in-log";
import { TryAgain } from "./try-again";
import { recordConfirmed } from "./confirmed-address";

/** What a page says if too many mails were asked for, or wait. */
export const tooMany = ({ seconds, full }: TooManyMails): TryAgain =>
  full
    ? new TryAgain(503, "No mail can be sent right now", seconds)
    : new TryAgain(429, "Too many mails were asked for", seconds);

/** GET and POST <issuer>/interaction/<uid>/forgot-password. */
export async function forgotPassword(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<void> {
  const interaction = await interactionOf(context, request, response, uid);
  const { site, mail } = context;
  if (!mail) return sendPage(request, response, await askSomebodyPage(site, uid));
  const show = async (email: string, failed?: Failed, status?: number, headers?: Record<string, string>) =>
    sendPage(
      request,
      response,
      await forgotPasswordPage(site, { uid, email, ...(failed && { failed }) }),
      status,
      headers,
    );
  if (request.method !== "POST") return show(await expectedEmail(context, interaction));
  requireOwnPage(site, request);
  const typed = (await readForm(request)).get("email") ?? "";
  const fields = violations({ email: emailViolation(typed) });
  if (Object.keys(fields).length > 0) return show(typed, { fields });
  const email = normalizeEmail(typed);
  const device = context.devices.knows(request, email);
  try {
    // Whether there is such an account is looked up when the mail is sent: here nothing can tell.
    await context.database.transaction((queries) =>
      mail.store(queries, { kind: "reset", address: email, usefulS: LINK_S.reset }, [
        allowance("network", addressOf(context.config, request)),
        device === undefined ? allowance("recipient", email) : allowance("device", device),
      ]),
    );
  } catch (error) {
    if (!(error instanceof TooManyMails)) throw error;
    return show(typed, ...wait(tooMany(error)));
  }
  mail.wake();
  sendPage(request, response, await resetAskedPage(site, uid, email));
}

/** The token in the query of a mailed link. */
export const tokenIn = (query: string): string => new URLSearchParams(query).get("token") ?? "";

export const deadLink = (how: string): Refusal =>
  new Refusal(
    410,
    "This link no longer works",
    `It was used, has expired, or was replaced by a change of the account. ${how}`,
  );

/** GET and POST <issuer>/account/reset-password: whoever has the link can choose a password, and then signs in. */
export async function resetByMail(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const { site, database } = context;
  const dead = () => deadLink('To get another one, choose "Forgot your password?" on the sign-in page.');
  // Programs that check mail open each link: only the form uses it up.
  if (request.method !== "POST") {
    const token = tokenIn(query);
    const link = await findLink(database, "reset", token);
    if (!link) throw dead();
    return sendPage(request, response, await resetPasswordPage(site, { email: link.email, token }));
  }
  requireOwnPage(site, request);
  const form = await readForm(request);
  const token = form.get("token") ?? "";
  const password = form.get("new-password") ?? "";
  const link = await findLink(database, "reset", token);
  if (!link) throw dead();
  const { email, subject } = link;
  const show = async (failed: Failed, status?: number, headers?: Record<string, string>) =>
    sendPage(request, response, await resetPasswordPage(site, { email, token, failed }), status, headers);
  const fields = violations({ "new-password": newPasswordViolation(password, email) });
  if (Object.keys(fields).length > 0) return show({ fields });
  try {
    const arrival = arrivalIn(context.config, request);
    await setPassword(context, { act: "password.reset", subject, arrival }, password, {
      // Another tab can be faster.
      first: async (queries) => {
        if (!(await takeLink(queries, "reset", token))) throw dead();
        // They read mail there.
        await recordConfirmed(queries, context.config, { subject, email });
      },
      mail: context.mail,
      client: clientOf(response),
    });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return show(...wait(error));
  }
  // Not signed in: a second factor would be skipped.
  sendPage(request, response, await passwordResetPage(site));
}
