import type { IncomingMessage, ServerResponse } from "node:http";

import { allowance, TooManyMails, type Post } from "../mail/post";
import { endLinks, findLink, LINK_S, takeLink, type AccountLink } from "../store/mail/account-links";
import { accountAt } from "../store/mail/recipients";
import { sqlState } from "../store/retry";
import { checkPassword, normalizeEmail, type Account } from "./accounts";
import { sendPage } from "./answers";
import { attempt } from "./attempt";
import { recordConfirmed } from "./confirmed-address";
import type { PageContext } from "./page-context";
import { deadLink, tokenIn, tooMany } from "./forgot-password";
import { wait } from "./interaction";
import { confirmAskedPage, confirmedPage, confirmPage, emailPage } from "./mail-pages";
import type { Failed } from "./pages";
import { addressOf, clientOf, readForm, Refusal, requireOwnPage } from "./requests";
import { emailViolation, violations } from "./rules";
import { arrivalIn, recordAct } from "./sign-in-log";
import { keptOf, requireStillIn, signedIn } from "./signed-in";
import { TryAgain } from "./try-again";

/** The mail service, and the account with a password that is signed in. Throws a Refusal without either. */
async function ownAccount(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  todo: string,
) {
  if (!context.mail)
    throw new Refusal(
      404,
      "This service sends no mail",
      "So nobody can confirm an address. To change yours, ask the people who run the service.",
    );
  const { account, session } = await signedIn(context, request, response, todo);
  if (account.provider !== null)
    throw new Refusal(
      404,
      "No address to change",
      `Your address comes from ${account.provider}. Change it there.`,
    );
  return { mail: context.mail, account, session };
}

/** Stores the mail with a link by which the account gets this address. Throws TryAgain. */
async function mailLink(
  context: PageContext,
  request: IncomingMessage,
  mail: Post,
  { subject, email: address }: AccountLink,
): Promise<void> {
  try {
    await context.database.transaction((queries) =>
      mail.store(queries, { kind: "confirm", address, facts: { subject }, usefulS: LINK_S.confirm }, [
        allowance("network", addressOf(context.config, request)),
        allowance("recipient", address),
      ]),
    );
    mail.wake();
  } catch (error) {
    throw error instanceof TooManyMails ? tooMany(error) : error;
  }
}

/** GET and POST <issuer>/account/email: the address of the account that is signed in, and to change it. */
export async function ownEmail(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { mail, account } = await ownAccount(context, request, response, "see your address");
  const { email, emailVerified: verified, subject } = account;
  const fixed = email === context.config.adminEmail;
  const show = async (
    more: { typed?: string; failed?: Failed } = {},
    status?: number,
    headers?: Record<string, string>,
  ) =>
    sendPage(
      request,
      response,
      await emailPage(context.site, { email, verified, fixed, ...more }),
      status,
      headers,
    );
  if (request.method !== "POST") return show();
  requireOwnPage(context.site, request);
  const form = await readForm(request);
  const changes = form.get("what") === "change" && !fixed;
  const typed = changes ? (form.get("email") ?? "") : "";
  const next = changes ? normalizeEmail(typed) : email;
  try {
    if (changes) {
      const fields = await changeViolations(context, request, response, account, form);
      if (Object.keys(fields).length > 0) return await show({ typed, failed: { fields } });
    }
    await mailLink(context, request, mail, { subject, email: next });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    const [failed, status, headers] = wait(error);
    return show({ typed, failed }, status, headers);
  }
  sendPage(request, response, await confirmAskedPage(context.site, next));
}

/** What is wrong with a new address or the password that goes with it. Throws TryAgain. */
async function changeViolations(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { email }: Account,
  form: URLSearchParams,
): Promise<Readonly<Record<string, string>>> {
  const typed = form.get("email") ?? "";
  const password = form.get("current-password") ?? "";
  const fields = violations({
    email:
      emailViolation(typed) ??
      (normalizeEmail(typed) === email ? "This is your address already." : undefined),
    "current-password": password === "" ? "Enter your current password." : undefined,
  });
  if (Object.keys(fields).length > 0) return fields;
  const device = context.devices.knows(request, email);
  const who = { account: email, device, address: addressOf(context.config, request) };
  const right = await attempt(context.throttle, who, () =>
    checkPassword(context.database, email, password, { client: clientOf(response) }),
  );
  return right ? {} : { "current-password": "Incorrect current password." };
}

/** GET and POST <issuer>/account/confirm-email: only for whoever is signed in to the account of the link. */
export async function confirmEmail(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const { site, database, config } = context;
  const { account, session, mail } = await ownAccount(context, request, response, "confirm your address");
  const { subject, email: before } = account;
  const dead = () => deadLink("To get another one, open your email address in your account menu.");
  const form = request.method === "POST" ? await readForm(request) : undefined;
  const token = form ? (form.get("token") ?? "") : tokenIn(query);
  const link = await findLink(database, "confirm", token);
  if (!link) throw dead();
  if (link.subject !== subject)
    throw new Refusal(
      403,
      "This link is for another account",
      "Sign out in the console, sign in to the account that the link was mailed for, and open the link again.",
    );
  const { email } = link;
  if (!form) return sendPage(request, response, await confirmPage(site, { email, before, token }));
  requireOwnPage(site, request);
  const act = email === before ? "email.confirm" : "email.change";
  await recordAct(context, arrivalIn(config, request), { act, subject }, async (queries) => {
    await requireStillIn(queries, subject, keptOf(session));
    if (!(await takeLink(queries, "confirm", token))) throw dead();
    const owner = await accountAt(queries, email);
    if (owner !== undefined && owner !== subject) throw dead();
    await recordConfirmed(queries, config, link);
    if (email === before) return;
    // Those to the old address, too.
    await endLinks(queries, subject);
    await mail.tell(queries, { kind: "addressChanged", address: before, facts: { after: email } });
  }).catch((error: unknown) => {
    // Somebody else took the address at the same time.
    throw sqlState(error) === "23505" ? dead() : error;
  });
  mail.wake();
  context.devices.remember(request, response, email);
  sendPage(request, response, await confirmedPage(site, email));
}
