import type { IncomingMessage, ServerResponse } from "node:http";

import { DEMO_PASSWORD } from "../../demo";
import {
  checkPassword,
  createAccount,
  createPendingAccount,
  EmailTakenError,
  findAccount,
  findAccountByEmail,
  normalizeEmail,
} from "./accounts";
import { redirect, sendPage } from "./answers";
import { attempt } from "./attempt";
import type { PageContext } from "./page-context";
import { continueSignIn } from "./authentication";
import { isForCommand } from "./command-client";
import { signInWithPasskey } from "./factors/passkey-sign-in";
import { askForPasskey, ceremonyOf } from "./factors/passkeys";
import { interactionOf, type Interaction } from "./open-interaction";
import { createAccountPage, signInPage, type Failed } from "./pages";
import { addressOf, clientOf, readForm, Refusal, requireOwnPage } from "./requests";
import { emailViolation, nameViolation, newPasswordViolation, violations } from "./rules";
import { claimSignIn } from "./sessions";
import { arrivalIn, logAct } from "./sign-in-log";
import { inSteps } from "./steps";
import { TryAgain } from "./try-again";

/** True if the console has an invite to redeem; only the console knows which one. */
const isInvited = ({ params }: Interaction): boolean => params["invite"] === "1";

/** Email to prefill, if the request or the session has one. */
export async function expectedEmail(context: PageContext, { prompt, session }: Interaction): Promise<string> {
  const hint = prompt.details["login_hint"];
  if (typeof hint === "string") return hint.slice(0, 254);
  const account = session?.accountId ? await findAccount(context.database, session.accountId) : undefined;
  return account?.provider === null ? account.email : "";
}

/** Status and headers of the page that states how long to wait. */
export const wait = ({ message, status, seconds }: TryAgain): [Failed, number, Record<string, string>] => [
  { alert: message },
  status,
  { "retry-after": String(seconds) },
];

/** GET and POST <issuer>/interaction/<uid>: sign-in with email and password. */
export async function signIn(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<void> {
  const interaction = await interactionOf(context, request, response, uid);
  const show = async (email: string, failed?: Failed, status = 200, headers?: Record<string, string>) => {
    const invited = isInvited(interaction);
    const signUp = invited || context.config.signUp === "open";
    const demo = await context.demoAccounts();
    const providers = await context.remembered.offered(request, interaction.params["idp_hint"]);
    const passkey = await askForPasskey(context, ceremonyOf(uid, "sign-in"));
    const command = isForCommand(interaction.params);
    const shown = {
      uid,
      email,
      signUp,
      invited,
      command,
      demo,
      providers,
      passkey,
      ...(failed && { failed }),
    };
    const page = await signInPage(context.site, shown);
    sendPage(request, response, page, status, headers);
  };
  if (request.method !== "POST") {
    // All clients are first-party: no consent needed.
    if (interaction.prompt.name === "consent")
      return redirect(response, await context.provider.interactionResult(request, response, { consent: {} }));
    return show(await expectedEmail(context, interaction));
  }
  requireOwnPage(context.site, request);
  const form = await readForm(request);
  const credential = form.get("credential");
  if (credential !== null) {
    const shown = await signInWithPasskey(context, request, response, { uid, sent: credential });
    return (
      shown && show(await expectedEmail(context, interaction), shown.failed, shown.status, shown.headers)
    );
  }
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  const fields = violations({
    email: normalizeEmail(email) === "" ? "Enter your email address." : undefined,
    password: password === "" ? "Enter your password." : undefined,
  });
  if (Object.keys(fields).length > 0) return show(email, { fields });
  const address = addressOf(context.config, request);
  const device = context.devices.knows(request, email);
  try {
    const who = { account: normalizeEmail(email), device, address };
    const account = await attempt(context.throttle, who, async () => {
      const claim = (subject?: string) => claimSignIn(context.database, uid, subject);
      const found = await checkPassword(context.database, email, password, {
        client: clientOf(response),
        claim,
      });
      // Accounts from before it was banned can still have the demo password.
      return context.config.loopback || password !== DEMO_PASSWORD ? found : undefined;
    });
    if (account)
      return await continueSignIn(context, request, response, {
        subject: account.subject,
        email: account.email,
        act: "signIn.password",
      });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return show(email, ...wait(error));
  }
  // Whoever is in many organizations is in many logs: that takes longer.
  await inSteps(async () => {
    const known = await findAccountByEmail(context.database, email);
    await logAct(context, arrivalIn(context.config, request), {
      act: "signIn.password",
      subject: known?.subject,
      reason: known ? "WRONG_PASSWORD" : "NO_ACCOUNT",
    });
  });
  return show(email, { alert: "Incorrect email or password." });
}

/** GET and POST <issuer>/interaction/<uid>/create-account; signs in and continues to the original destination. */
export async function signUp(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<void> {
  const interaction = await interactionOf(context, request, response, uid);
  const open = context.config.signUp === "open";
  if (!open && !isInvited(interaction))
    throw new Refusal(404, "Sign-up is disabled", "Ask an administrator for an account.");
  const typed = { email: "", name: "" };
  const show = async (failed?: Failed, status = 200, headers?: Record<string, string>) =>
    sendPage(
      request,
      response,
      await createAccountPage(context.site, { uid, ...typed, ...(failed && { failed }) }),
      status,
      headers,
    );
  if (request.method !== "POST") {
    // A user who is already signed in wants a different account.
    if (!interaction.session?.accountId) typed.email = await expectedEmail(context, interaction);
    return show();
  }
  requireOwnPage(context.site, request);
  const form = await readForm(request);
  typed.email = form.get("email") ?? "";
  typed.name = (form.get("name") ?? "").trim();
  const password = form.get("password") ?? "";
  const fields = violations({
    email: emailViolation(typed.email),
    name: nameViolation(typed.name),
    password: newPasswordViolation(password, typed.email),
  });
  if (Object.keys(fields).length > 0) return show({ fields });
  try {
    // Probing for existing accounts is throttled like guessing passwords.
    const address = addressOf(context.config, request);
    const arrival = arrivalIn(context.config, request);
    const make = open ? createAccount : createPendingAccount;
    const made = await attempt(context.throttle, { address, signUp: address }, () =>
      make(context, { ...typed, password }, { arrival, client: clientOf(response), mail: context.mail }),
    );
    if (!made) throw new Error("an account was neither made nor refused");
    await claimSignIn(context.database, uid, made.subject);
    return await continueSignIn(context, request, response, {
      subject: made.subject,
      email: open ? normalizeEmail(typed.email) : undefined,
      act: "recorded",
    });
  } catch (error) {
    if (error instanceof TryAgain) return show(...wait(error));
    if (!(error instanceof EmailTakenError)) throw error;
    return show({ fields: { email: "An account with this email already exists. Sign in instead." } });
  }
}
