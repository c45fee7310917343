import { html } from "hono/html";
import type { IncomingMessage, ServerResponse } from "node:http";

import { findVisitor, type Account } from "../accounts";
import { redirect, sendPage } from "../answers";
import type { Desk } from "../desk";
import { finish, keepStep, type Proven, type SecondStep } from "../enter";
import { interactionOf } from "../open-interaction";
import { readForm, requireOwnPage } from "../requests";
import { TryAgain } from "../try-again";
import { addAppHere, addPasskeyHere, type Adding } from "./adding";
import { withApp, withPasskey, withRecoveryCode } from "./amr";
import { kept } from "./kept";
import { recoveryCodePage, recoveryCodesPage, secondStepPage, setUpPage, type SecondShown } from "./pages";
import { askForPasskey, ceremonyOf } from "./passkeys";
import { recoveryCodesLeft } from "./recovery-codes";
import { appCodeShown, passkeyShown, recoveryCodeShown, type Shown } from "./shown";
import { factorsOf, secondOf } from "./stored";

/** A sign-in that has passed its password. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly uid: string;
  readonly step: SecondStep;
  readonly account: Account;
}

type Failed = NonNullable<SecondShown["failed"]>;
type Headers = Readonly<Record<string, string>>;

/** Returns the sign-in of the cookie; undefined, and back at its first page, without a right password in this browser. */
async function visitOf(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Visit | undefined> {
  await interactionOf(desk, request, response, uid);
  if (request.method === "POST") requireOwnPage(desk.site, request);
  const step = await kept<SecondStep>(desk.database, "SecondStep", uid, desk.now());
  const account = step && (await findVisitor(desk.database, step.subject));
  if (step && account && desk.marks.has(request, uid, step.subject))
    return { request, response, uid, step, account };
  redirect(response, `${desk.site.mount}/interaction/${uid}`);
  return undefined;
}

/** Ends the sign-in. The step stays, for a form that is sent twice; it is not what lets somebody in. */
async function end(desk: Desk, { request, response, uid, step }: Visit, proven: Proven): Promise<void> {
  await keepStep(desk, uid, { ...step, done: true });
  await finish(desk, request, response, { subject: step.subject, email: step.email, ...proven });
}

async function showSecond(
  desk: Desk,
  { request, response, uid, account }: Visit,
  failed: Failed = {},
  status = 200,
  headers: Headers = {},
): Promise<void> {
  const { database, site } = desk;
  const { subject, email } = account;
  const factors = await factorsOf(database, subject, site.passkeys?.host);
  const shown = {
    email,
    app: factors.some(({ kind }) => kind === "app"),
    passkey: await askForPasskey(desk, ceremonyOf(uid, "second"), subject),
    recovery: (await recoveryCodesLeft(database, subject)) > 0,
    failed,
  };
  sendPage(request, response, await secondStepPage(site, uid, shown), status, headers);
}

/** Ends the sign-in with what was proven, or shows the page again with the reason why not. */
async function answer<T>(
  desk: Desk,
  visit: Visit,
  {
    ask,
    prove,
    again,
  }: {
    readonly ask: () => Promise<Shown<T>>;
    readonly prove: (proven: T) => Proven;
    readonly again: (failed: Failed, status?: number, headers?: Headers) => Promise<void>;
  },
  where: keyof Failed,
): Promise<void> {
  try {
    const shown = await ask();
    return "proven" in shown
      ? await end(desk, visit, prove(shown.proven))
      : await again({ [where]: shown.sentence });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return again({ alert: error.message }, error.status, { "retry-after": String(error.seconds) });
  }
}

type Page = (desk: Desk, visit: Visit) => Promise<void>;

/** GET and POST .../second-factor: the ways that the account has, and the code of an app. */
const secondFactor: Page = async (desk, visit) => {
  const again = (failed: Failed, status?: number, headers?: Headers) =>
    showSecond(desk, visit, failed, status, headers);
  if (visit.request.method !== "POST") return showSecond(desk, visit);
  const typed = (await readForm(visit.request)).get("code") ?? "";
  const showing = { request: visit.request, subject: visit.step.subject, act: "signIn.passwordApp" } as const;
  const ask = () => appCodeShown(desk, showing, typed);
  return answer(desk, visit, { ask, prove: () => withApp, again }, "code");
};

/** GET and POST .../recovery-code. */
const recoveryCode: Page = async (desk, visit) => {
  const { request, response, uid, account, step } = visit;
  const again = async (failed: Failed = {}, status?: number, headers?: Headers) =>
    sendPage(
      request,
      response,
      await recoveryCodePage(desk.site, uid, { email: account.email, failed }),
      status,
      headers,
    );
  if (request.method !== "POST") return again();
  const typed = (await readForm(request)).get("code") ?? "";
  const showing = { request, subject: step.subject, act: "signIn.passwordRecovery" } as const;
  const ask = () => recoveryCodeShown(desk, showing, typed);
  return answer(desk, visit, { ask, prove: () => withRecoveryCode, again }, "code");
};

/** POST .../passkey: as the second factor. */
const passkey: Page = async (desk, visit) => {
  const { request, step, uid } = visit;
  if (request.method !== "POST") return showSecond(desk, visit);
  const sent = (await readForm(request)).get("credential") ?? "";
  const showing = {
    request,
    subject: step.subject,
    act: "signIn.passwordPasskey",
    ceremony: ceremonyOf(uid, "second"),
  } as const;
  const again = (failed: Failed, status?: number, headers?: Headers) =>
    showSecond(desk, visit, failed, status, headers);
  const ask = () => passkeyShown(desk, showing, sent);
  return answer(desk, visit, { ask, prove: withPasskey, again }, "alert");
};

/** Runs `work` where a factor is required and the account has none, which is decided by the database each time. */
const whereRequired =
  (work: Page): Page =>
  async (desk, visit) => {
    const { uid, response, step } = visit;
    const second = await secondOf(desk.database, step.subject, desk.config.secondFactor === "required");
    if (second === "set-up") return work(desk, visit);
    redirect(response, `${desk.site.mount}/interaction/${uid}${second === "factor" ? "/second-factor" : ""}`);
  };

/** GET .../set-up: which factor to add. */
const setUp: Page = async ({ site }, { request, response, uid, account }) =>
  sendPage(request, response, await setUpPage(site, uid, account.email));

/** Adds the first factor. The session of this browser stays: the sign-in belongs to it. */
const adding =
  (work: (desk: Desk, adding: Adding) => Promise<void>): Page =>
  async (desk, { request, response, uid, account, step }) => {
    const session = await desk.provider.Session.get(desk.provider.createContext(request, response));
    await work(desk, {
      request,
      response,
      account,
      at: `${desk.site.mount}/interaction/${uid}`,
      back: `${desk.site.mount}/interaction/${uid}/set-up`,
      id: uid,
      kept: { session: session.jti, grants: [], interaction: uid },
      firstOnly: true,
      async done({ codes = [] }, proven) {
        await keepStep(desk, uid, { ...step, proven });
        const on = html`<form method="post" action="${desk.site.mount}/interaction/${uid}/signed-in">
          <button type="submit">I've kept them, continue</button>
        </form>`;
        const lead = "Your second factor is set up.";
        sendPage(request, response, await recoveryCodesPage(desk.site, { codes, lead, on }));
      },
    });
  };

/** POST .../signed-in: after the recovery codes of a first factor. */
const signedIn: Page = async (desk, visit) => {
  const { step, request, response, uid } = visit;
  if (request.method === "POST" && step.proven) return end(desk, visit, step.proven);
  redirect(response, `${desk.site.mount}/interaction/${uid}/second-factor`);
};

const STEPS: Readonly<Record<string, Page>> = {
  "second-factor": secondFactor,
  "recovery-code": recoveryCode,
  passkey,
  "set-up": whereRequired(setUp),
  "add-app": whereRequired(adding(addAppHere)),
  "add-passkey": whereRequired(adding(addPasskeyHere)),
  "signed-in": signedIn,
};

export const STEP_PATH = new RegExp(`^/interaction/([\\w-]{1,64}/(?:${Object.keys(STEPS).join("|")}))$`);

/** All pages between the right password and the session. `argument`: the sign-in and the step. */
export async function secondStep(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  argument: string,
): Promise<void> {
  const [uid = "", name = ""] = argument.split("/");
  const visit = await visitOf(desk, request, response, uid);
  if (visit) await STEPS[name]?.(desk, visit);
}
