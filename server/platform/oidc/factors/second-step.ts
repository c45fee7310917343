import { html } from "hono/html";
import type { IncomingMessage, ServerResponse } from "node:http";

import { findVisitor, type Account } from "../accounts";
import { redirect, sendPage } from "../answers";
import type { PageContext } from "../page-context";
import { completeInteraction, saveStep, type Proven, type SecondStep } from "../authentication";
import { interactionOf } from "../open-interaction";
import { readForm, requireOwnPage } from "../requests";
import { TryAgain } from "../try-again";
import { addAppHere, addPasskeyHere, type Adding } from "./adding";
import { withApp, withPasskey, withRecoveryCode } from "./amr";
import { readState } from "./interaction-state";
import { recoveryCodePage, recoveryCodesPage, secondStepPage, setUpPage, type SecondShown } from "./pages";
import { askForPasskey, ceremonyOf } from "./passkeys";
import { recoveryCodesLeft } from "./recovery-codes";
import { verifyAppCode, verifyPasskey, verifyRecoveryCode, type Verification } from "./verification";
import { factorsOf, secondOf } from "./factors.table";

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
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  uid: string,
): Promise<Visit | undefined> {
  await interactionOf(context, request, response, uid);
  if (request.method === "POST") requireOwnPage(context.site, request);
  const step = await readState<SecondStep>(context.database, "SecondStep", uid, context.now());
  const account = step && (await findVisitor(context.database, step.subject));
  if (step && account && context.marks.has(request, uid, step.subject))
    return { request, response, uid, step, account };
  redirect(response, `${context.site.mount}/interaction/${uid}`);
  return undefined;
}

/** Ends the sign-in. The step stays, for a form that is sent twice; it is not what lets somebody in. */
async function end(
  context: PageContext,
  { request, response, uid, step }: Visit,
  proven: Proven,
): Promise<void> {
  await saveStep(context, uid, { ...step, done: true });
  await completeInteraction(context, request, response, {
    subject: step.subject,
    email: step.email,
    ...proven,
  });
}

async function showSecond(
  context: PageContext,
  { request, response, uid, account }: Visit,
  failed: Failed = {},
  status = 200,
  headers: Headers = {},
): Promise<void> {
  const { database, site } = context;
  const { subject, email } = account;
  const factors = await factorsOf(database, subject, site.passkeys?.host);
  const shown = {
    email,
    app: factors.some(({ kind }) => kind === "app"),
    passkey: await askForPasskey(context, ceremonyOf(uid, "second"), subject),
    recovery: (await recoveryCodesLeft(database, subject)) > 0,
    failed,
  };
  sendPage(request, response, await secondStepPage(site, uid, shown), status, headers);
}

/** Ends the sign-in with what was proven, or shows the page again with the reason why not. */
async function answer<T>(
  context: PageContext,
  visit: Visit,
  {
    ask,
    prove,
    again,
  }: {
    readonly ask: () => Promise<Verification<T>>;
    readonly prove: (proven: T) => Proven;
    readonly again: (failed: Failed, status?: number, headers?: Headers) => Promise<void>;
  },
  where: keyof Failed,
): Promise<void> {
  try {
    const shown = await ask();
    return "proven" in shown
      ? await end(context, visit, prove(shown.proven))
      : await again({ [where]: shown.sentence });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    return again({ alert: error.message }, error.status, { "retry-after": String(error.seconds) });
  }
}

type Page = (context: PageContext, visit: Visit) => Promise<void>;

/** GET and POST .../second-factor: the ways that the account has, and the code of an app. */
const secondFactor: Page = async (context, visit) => {
  const again = (failed: Failed, status?: number, headers?: Headers) =>
    showSecond(context, visit, failed, status, headers);
  if (visit.request.method !== "POST") return showSecond(context, visit);
  const typed = (await readForm(visit.request)).get("code") ?? "";
  const check = { request: visit.request, subject: visit.step.subject, act: "signIn.passwordApp" } as const;
  const ask = () => verifyAppCode(context, check, typed);
  return answer(context, visit, { ask, prove: () => withApp, again }, "code");
};

/** GET and POST .../recovery-code. */
const recoveryCode: Page = async (context, visit) => {
  const { request, response, uid, account, step } = visit;
  const again = async (failed: Failed = {}, status?: number, headers?: Headers) =>
    sendPage(
      request,
      response,
      await recoveryCodePage(context.site, uid, { email: account.email, failed }),
      status,
      headers,
    );
  if (request.method !== "POST") return again();
  const typed = (await readForm(request)).get("code") ?? "";
  const check = { request, subject: step.subject, act: "signIn.passwordRecovery" } as const;
  const ask = () => verifyRecoveryCode(context, check, typed);
  return answer(context, visit, { ask, prove: () => withRecoveryCode, again }, "code");
};

/** POST .../passkey: as the second factor. */
const passkey: Page = async (context, visit) => {
  const { request, step, uid } = visit;
  if (request.method !== "POST") return showSecond(context, visit);
  const sent = (await readForm(request)).get("credential") ?? "";
  const check = {
    request,
    subject: step.subject,
    act: "signIn.passwordPasskey",
    ceremony: ceremonyOf(uid, "second"),
  } as const;
  const again = (failed: Failed, status?: number, headers?: Headers) =>
    showSecond(context, visit, failed, status, headers);
  const ask = () => verifyPasskey(context, check, sent);
  return answer(context, visit, { ask, prove: withPasskey, again }, "alert");
};

/** Runs `work` where a factor is required and the account has none, which is decided by the database each time. */
const whereRequired =
  (work: Page): Page =>
  async (context, visit) => {
    const { uid, response, step } = visit;
    const second = await secondOf(context.database, step.subject, context.config.secondFactor === "required");
    if (second === "set-up") return work(context, visit);
    redirect(
      response,
      `${context.site.mount}/interaction/${uid}${second === "factor" ? "/second-factor" : ""}`,
    );
  };

/** GET .../set-up: which factor to add. */
const setUp: Page = async ({ site }, { request, response, uid, account }) =>
  sendPage(request, response, await setUpPage(site, uid, account.email));

/** Adds the first factor. The session of this browser stays: the sign-in belongs to it. */
const adding =
  (work: (context: PageContext, adding: Adding) => Promise<void>): Page =>
  async (context, { request, response, uid, account, step }) => {
    const session = await context.provider.Session.get(context.provider.createContext(request, response));
    await work(context, {
      request,
      response,
      account,
      at: `${context.site.mount}/interaction/${uid}`,
      back: `${context.site.mount}/interaction/${uid}/set-up`,
      id: uid,
      kept: { session: session.jti, grants: [], interaction: uid },
      firstOnly: true,
      async done({ codes = [] }, proven) {
        await saveStep(context, uid, { ...step, proven });
        const on = html`<form method="post" action="${context.site.mount}/interaction/${uid}/signed-in">
          <button type="submit">I've kept them, continue</button>
        </form>`;
        const lead = "Your second factor is set up.";
        sendPage(request, response, await recoveryCodesPage(context.site, { codes, lead, on }));
      },
    });
  };

/** POST .../signed-in: after the recovery codes of a first factor. */
const signedIn: Page = async (context, visit) => {
  const { step, request, response, uid } = visit;
  if (request.method === "POST" && step.proven) return end(context, visit, step.proven);
  redirect(response, `${context.site.mount}/interaction/${uid}/second-factor`);
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
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  argument: string,
): Promise<void> {
  const [uid = "", name = ""] = argument.split("/");
  const visit = await visitOf(context, request, response, uid);
  if (visit) await STEPS[name]?.(context, visit);
}
