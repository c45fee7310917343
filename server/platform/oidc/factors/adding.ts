import type { IncomingMessage, ServerResponse } from "node:http";
import { encode } from "uqr";

import { Failure } from "../../../status";
import type { Account } from "../accounts";
import { sendPage } from "../answers";
import type { PageContext } from "../page-context";
import type { Proven } from "../authentication";
import { readForm, Refusal, requireOwnPage } from "../requests";
import type { Kept } from "../sessions";
import { arrivalIn } from "../sign-in-log";
import { violations } from "../rules";
import { withApp, withPasskey } from "./amr";
import { addressOfSecret, digitsOf, isCode, newSecret, stepOf } from "./apps";
import { addApp, addPasskey, CannotChange, type Added } from "./changes";
import { inMinutes, saveState, readState, takeState } from "./interaction-state";
import { addAppPage, addPasskeyPage } from "./pages";
import { askForNewPasskey, ceremonyOf, verifyNewPasskey } from "./passkeys";
import { factorNameViolation } from "./names";

/** A QR code as an SVG path: a run of dark modules is one rectangle. */
function qrOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2, ecc: "M" });
  const path = data
    .map((row, y) => {
      let runs = "";
      for (let x = 0; x < size; x += 1) {
        if (!row[x]) continue;
        const from = x;
        while (row[x + 1]) x += 1;
        runs += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`;
      }
      return runs;
    })
    .join("");
  return { size, path };
}

/** Minutes to add an app after its secret was first shown. */
const SECRET_MINUTES = 30;

/** Who adds a factor, and where: during a sign-in, or on the page of the account. */
export interface Adding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly account: Pick<Account, "subject" | "email" | "name">;
  /** Address of the pages: the sign-in or the account's security. */
  readonly at: string;
  /** Where "Cancel" leads. */
  readonly back: string;
  /** Of the sign-in or session: another one cannot use what is shown here. */
  readonly id: string;
  /** What allows it, and what a first factor does not end. */
  readonly kept: Kept;
  /** True where nothing but the password was shown: then there must not be a factor yet. */
  readonly firstOnly: boolean;
  /** Answers the request. */
  readonly done: (added: Added, proven: Proven) => Promise<void>;
}

/** The secret shown before, so that a reload does not change it, or a new one. */
async function secretFor({ database, texts, now }: PageContext, { id, account }: Adding): Promise<string> {
  const record = `${id}\n${account.subject}`;
  const before = await readState<string>(database, "NewApp", id, now());
  const known = before === undefined ? undefined : await texts.unseal(record, before);
  if (known !== undefined) return known;
  const secret = newSecret();
  const value = await texts.seal(record, secret).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw new Refusal(
      503,
      "Authenticator apps can't be added",
      "This installation can't keep their secrets: its operator has to set SECRET_KEY, or let it write to DATA_DIR.",
    );
  });
  const until = inMinutes(now(), SECRET_MINUTES);
  await saveState(database, { kind: "NewApp", id, value, subject: account.subject, until });
  return secret;
}

/** The reason as a sentence, if nothing was added for one. */
async function unless(work: () => Promise<Added>): Promise<Added | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CannotChange) return error.message;
    throw error;
  }
}

/** GET and POST <at>/add-app. */
export async function addAppHere(context: PageContext, adding: Adding): Promise<void> {
  const { request, response, account, at, back, firstOnly } = adding;
  const { database, config, site, now } = context;
  const secret = await secretFor(context, adding);
  const qr = qrOf(addressOfSecret(secret, site.title, account.email));
  const show = async (name: string, failed: Parameters<typeof addAppPage>[2]["failed"] = {}) =>
    sendPage(request, response, await addAppPage(site, { at, back }, { name, secret, qr, failed }));
  if (request.method !== "POST") return show("Authenticator app");
  requireOwnPage(site, request);
  const form = await readForm(request);
  const name = (form.get("name") ?? "").trim();
  const code = digitsOf(form.get("code") ?? "");
  const step = isCode(code) ? stepOf(secret, code, now()) : undefined;
  const failed = violations({
    name: factorNameViolation(name),
    code: !isCode(code)
      ? "Enter the six digits that the app shows."
      : step === undefined
        ? "Incorrect code. Enter the one that the app shows now; if it stays incorrect, check your phone's clock."
        : undefined,
  });
  if (step === undefined || Object.keys(failed).length > 0) return show(name, failed);
  const { subject } = account;
  const arrival = arrivalIn(config, request);
  const added = await unless(() =>
    addApp(context, subject, { name, secret, step, firstOnly, arrival }, adding.kept),
  );
  if (typeof added === "string") return show(name, { alert: added });
  await takeState(database, "NewApp", adding.id, now());
  return adding.done(added, withApp);
}

/** GET and POST <at>/add-passkey. */
export async function addPasskeyHere(context: PageContext, adding: Adding): Promise<void> {
  const { request, response, account, at, back, firstOnly } = adding;
  const { site, config } = context;
  const ceremony = ceremonyOf(adding.id, "add");
  const show = async (name: string, failed: { alert?: string; name?: string } = {}) => {
    const options = await askForNewPasskey(context, ceremony, account);
    if (!options)
      throw new Refusal(
        404,
        "No passkeys here",
        "Browsers have passkeys only for https addresses with a host name. Add an authenticator app instead.",
      );
    sendPage(request, response, await addPasskeyPage(site, { at, back }, { name, options, failed }));
  };
  if (request.method !== "POST") return show("Passkey");
  requireOwnPage(site, request);
  const form = await readForm(request);
  const name = (form.get("name") ?? "").trim();
  const failed = violations({ name: factorNameViolation(name) });
  if (Object.keys(failed).length > 0) return show(name, failed);
  const made = await verifyNewPasskey(context, ceremony, form.get("credential") ?? "");
  const { subject } = account;
  if ("refused" in made) {
    // The library's sentence, which has values of the request, is for the operator.
    context.log.warn({ reason: made.refused }, "a new passkey was refused");
    return show(name, { alert: "The passkey wasn't added. Try again." });
  }
  const arrival = arrivalIn(config, request);
  const added = await unless(() =>
    addPasskey(context, subject, { name, made, firstOnly, arrival }, adding.kept),
  );
  if (typeof added === "string") return show(name, { alert: added });
  return adding.done(added, withPasskey(made));
}
