import type { IncomingMessage, ServerResponse } from "node:http";

import { checkPassword } from "../accounts";
import { redirect, sendPage } from "../answers";
import { attempt } from "../attempt";
import type { PageContext } from "../page-context";
import { addressOf, clientOf, readForm } from "../requests";
import { arrivalIn, logAct } from "../sign-in-log";
import { TryAgain } from "../try-again";
import type { SignedIn } from "../signed-in";
import { inMinutes, saveState, readState } from "./interaction-state";
import { askForPasskey, ceremonyOf } from "./passkeys";
import { confirmPage, type ConfirmFailed } from "./security-pages";
import { verifyAppCode, verifyPasskey } from "./verification";
import { factorsOf } from "./factors.table";

/** Minutes in which changes need no password again. */
const CONFIRMED_MINUTES = 10;

/** True if the person in this session has lately shown again who they are. */
export const isConfirmed = async (
  { database, now }: PageContext,
  { session, account }: SignedIn,
): Promise<boolean> =>
  (await readState<string>(database, "Confirmation", session.uid, now())) === account.subject;

export const confirm = (
  { database, now }: PageContext,
  { session, account: { subject } }: SignedIn,
): Promise<void> =>
  saveState(database, {
    kind: "Confirmation",
    id: session.uid,
    value: subject,
    subject,
    until: inMinutes(now(), CONFIRMED_MINUTES),
  });

/** The password; the count of failures is that of the sign-in. */
async function passwordShown(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { account: { email, subject } }: SignedIn,
  typed: string,
): Promise<string | undefined> {
  if (typed === "") return "Enter your password.";
  const who = {
    account: email,
    device: context.devices.knows(request, email),
    address: addressOf(context.config, request),
  };
  const right = await attempt(context.throttle, who, () =>
    checkPassword(context.database, email, typed, { client: clientOf(response) }),
  );
  if (right) return undefined;
  await logAct(context, arrivalIn(context.config, request), { act: ACT, subject, reason: "WRONG_PASSWORD" });
  return "Incorrect password.";
}

const ACT = "secondFactor.confirm";

/** What is wrong with what was shown; nothing if it is right. */
async function wrongIn(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  visitor: SignedIn,
): Promise<ConfirmFailed> {
  const form = await readForm(request);
  const { subject } = visitor.account;
  const check = { request, subject, act: ACT } as const;
  const [credential, code] = [form.get("credential"), form.get("code")];
  if (credential !== null) {
    const shown = await verifyPasskey(
      context,
      { ...check, ceremony: ceremonyOf(visitor.session.uid, "confirm") },
      credential,
    );
    return "proven" in shown ? {} : { alert: shown.sentence };
  }
  if (code !== null) {
    const shown = await verifyAppCode(context, check, code);
    return "proven" in shown ? {} : { code: shown.sentence };
  }
  const wrong = await passwordShown(context, request, response, visitor, form.get("password") ?? "");
  return wrong === undefined ? {} : { password: wrong };
}

/** GET and POST .../confirm/<next>: the password or a factor again, and then on to `next`. */
export async function confirming(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  visitor: SignedIn,
  next: string,
): Promise<void> {
  const { site, database } = context;
  const { email, subject } = visitor.account;
  const at = `${site.mount}/account/security`;
  const show = async (failed: ConfirmFailed = {}, status = 200, headers: Record<string, string> = {}) => {
    const factors = await factorsOf(database, subject, site.passkeys?.host);
    const shown = {
      email,
      action: `${at}/confirm/${next}`,
      app: factors.some(({ kind }) => kind === "app"),
      passkey: await askForPasskey(context, ceremonyOf(visitor.session.uid, "confirm"), subject),
      failed,
    };
    sendPage(request, response, await confirmPage(site, shown), status, headers);
  };
  if (request.method !== "POST") return show();
  try {
    const failed = await wrongIn(context, request, response, visitor);
    if (Object.keys(failed).length > 0) return await show(failed);
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return show({ alert: error.message }, error.status, { "retry-after": String(error.seconds) });
  }
  await confirm(context, visitor);
  redirect(response, `${at}/${next}`);
}
