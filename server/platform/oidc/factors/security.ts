import { html } from "hono/html";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Recorded } from "../../store/recorded";
import { redirect, sendPage } from "../answers";
import type { PageContext } from "../page-context";
import { clientIn, readForm, Refusal, requireOwnPage } from "../requests";
import { arrivalIn, recordAct } from "../sign-in-log";
import { keptOf, requireStillIn, signedIn, type SignedIn } from "../signed-in";
import { addAppHere, addPasskeyHere, type Adding } from "./adding";
import { PASSED } from "./amr";
import { CannotChange, removeFactor } from "./changes";
import { confirm, confirming, isConfirmed } from "./confirming";
import { factorNameViolation } from "./names";
import { tellOwner } from "./notices";
import { recoveryCodesPage } from "./pages";
import { makeRecoveryCodes, recoveryCodesLeft } from "./recovery-codes";
import { factorPage, newCodesPage, securityPage } from "./security-pages";
import { factorsOf, renameFactor, type Factor } from "./factors.table";

interface Visit extends SignedIn {
  readonly context: PageContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Address of the page with all factors. */
  readonly at: string;
}

const factorsIn = ({ context, account }: Visit): Promise<readonly Factor[]> =>
  factorsOf(context.database, account.subject, context.site.passkeys?.host);

const record = <T>(
  { context, request, session, account: { subject } }: Visit,
  act: "secondFactor.rename" | "secondFactor.makeCodes",
  work: (queries: Recorded) => Promise<T>,
): Promise<T> =>
  recordAct(context, arrivalIn(context.config, request), { act, subject }, async (queries) => {
    await requireStillIn(queries, subject, keptOf(session));
    return work(queries);
  });

/** GET: all factors of the account. */
async function overview(visit: Visit): Promise<void> {
  const { context, request, response, account } = visit;
  const factors = await factorsIn(visit);
  const left = await recoveryCodesLeft(context.database, account.subject);
  const required = context.config.secondFactor === "required";
  const shown = { email: account.email, factors, left, required };
  sendPage(request, response, await securityPage(context.site, shown));
}

const back = ({ at, context }: Visit) =>
  html`<a class="button" href="${at}">Done</a
    ><a class="button quiet" href="${context.site.console}">Go to the console</a>`;

/** A first factor makes this session, in which the password was just shown, one that has passed both. */
async function passBoth({ session }: Visit, amr: readonly string[]): Promise<void> {
  const { accountId } = session;
  if (accountId === undefined || session.amr?.includes(PASSED)) return;
  session.loginAccount({ accountId, amr: [...amr], ...(session.transient && { transient: true }) });
  await session.persist();
}

const adding =
  (work: (context: PageContext, adding: Adding) => Promise<void>) =>
  (visit: Visit): Promise<void> => {
    const { context, request, response, account, session, at } = visit;
    return work(context, {
      request,
      response,
      account,
      at,
      back: at,
      id: session.uid,
      kept: keptOf(session),
      firstOnly: false,
      async done({ codes }, { amr }) {
        if (codes === undefined) return redirect(response, at);
        await passBoth(visit, amr);
        await confirm(context, visit);
        const lead = "Your second factor is set up. You're signed out everywhere else.";
        sendPage(request, response, await recoveryCodesPage(context.site, { codes, lead, on: back(visit) }));
      },
    });
  };

/** GET and POST .../recovery-codes: new ones in place of the old. */
async function newCodes(visit: Visit): Promise<void> {
  const { context, request, response, account, at } = visit;
  const { site } = context;
  if ((await factorsIn(visit)).length === 0) return redirect(response, at);
  if (request.method !== "POST") return sendPage(request, response, await newCodesPage(site));
  const { mail } = context;
  const from = clientIn(context.config, request).address;
  const codes = await record(visit, "secondFactor.makeCodes", async (queries) => {
    await tellOwner(queries, { mail, from }, account.subject, { change: "codesMade" });
    return makeRecoveryCodes(queries, account.subject, context.now());
  });
  mail?.wake();
  const lead = "Your earlier recovery codes don't work any more.";
  sendPage(request, response, await recoveryCodesPage(site, { codes, lead, on: back(visit) }));
}

/** GET and POST .../factor/<uid>: its name, and its removal. */
async function oneFactor(visit: Visit, uid: string): Promise<void> {
  const { context, request, response, account, session, at } = visit;
  const { site } = context;
  const { subject } = account;
  const factor = (await factorsIn(visit)).find((one) => one.uid === uid);
  if (!factor)
    throw new Refusal(404, "Second factor not found", "It was removed, or belongs to another account.");
  const show = async (failed: { alert?: string; name?: string } = {}, name = factor.name) =>
    sendPage(request, response, await factorPage(site, { factor, name, failed }));
  if (request.method !== "POST") return show();
  const form = await readForm(request);
  if (form.has("remove")) {
    try {
      const arrival = arrivalIn(context.config, request);
      await removeFactor(context, { subject, factor, arrival, kept: keptOf(session) });
    } catch (error) {
      if (error instanceof CannotChange) return show({ alert: error.message });
      throw error;
    }
    return redirect(response, at);
  }
  const name = (form.get("name") ?? "").trim();
  const violation = factorNameViolation(name);
  if (violation !== undefined) return show({ name: violation }, name);
  await record(visit, "secondFactor.rename", (queries) => renameFactor(queries, subject, factor, name));
  redirect(response, at);
}

const CHANGES = /^(add-app|add-passkey|recovery-codes|factor\/([0-9a-f]{40}))$/;

export const SECURITY_PATH = /^\/account\/(security(?:\/[\w/-]{1,100})?)$/;

/** <issuer>/account/security and below, for the user with a session in this browser. */
export async function security(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const visitor = await signedIn(context, request, response, "see your second factors");
  const { provider } = visitor.account;
  if (provider !== null)
    throw new Refusal(
      404,
      "No second factors here",
      `You sign in with ${provider}. Set up second factors there.`,
    );
  if (request.method === "POST") requireOwnPage(context.site, request);
  const at = `${context.site.mount}/account/security`;
  const visit: Visit = { ...visitor, context, request, response, at };
  const [, below = ""] = /^security\/?(.*)$/.exec(path) ?? [];
  if (below === "") return overview(visit);
  const asked = /^confirm\/(.+)$/.exec(below)?.[1];
  if (asked !== undefined && CHANGES.test(asked))
    return confirming(context, request, response, visitor, asked);
  const [, change, uid] = CHANGES.exec(below) ?? [];
  if (change === undefined) throw new Refusal(404, "Page not found", "Check the address.");
  // Also for what was posted: nothing changes without it, and the page that follows says so.
  if (!(await isConfirmed(context, visitor))) return redirect(response, `${at}/confirm/${below}`);
  if (uid !== undefined) return oneFactor(visit, uid);
  const pages = {
    "add-app": adding(addAppHere),
    "add-passkey": adding(addPasskeyHere),
    "recovery-codes": newCodes,
  };
  return pages[change as keyof typeof pages](visit);
}
