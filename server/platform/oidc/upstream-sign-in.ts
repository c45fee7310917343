import type { IncomingMessage, ServerResponse } from "node:http";

import { rootOf, UID_PATTERN } from "platform-contract/aip";

import { tellSignIn } from "../../sign-ins";
import { errorCode, reasonOf } from "../../reason";
import { now } from "../store/clock";
import type { Arrival, Queries } from "../store/database";
import { take } from "../store/mail/allowances";
import { findProvider, type Provider } from "../../domains/federation/identity-providers.table";
import { redirect } from "./answers";
import type { PageContext } from "./page-context";
import { expired, findInteraction, interactionOf, orExpired } from "./open-interaction";
import { Refusal } from "./requests";
import { arrivalIn, logAct } from "./sign-in-log";
import { endTest } from "./sign-in-test";
import { recordSignIn } from "./upstream-accounts";
import { returnFailure, UpstreamFailure } from "./upstream-client";
import {
  depart,
  departureTo,
  interrupted,
  personAt,
  requireGet,
  takeReturn,
  type Return,
} from "./upstream-journey";

/** Lifetime in milliseconds, same as the interaction it belongs to. */
const LIFE_MS = 3_600_000;

/** Finds a provider by its uid as used in addresses. Throws a Refusal. */
async function providerAt(queries: Queries, text: string): Promise<Provider> {
  const uid = text.replaceAll("_", "/");
  const provider = UID_PATTERN.test(uid) ? await findProvider(queries, uid) : undefined;
  if (provider) return provider;
  throw new Refusal(
    404,
    "This identity provider no longer exists",
    "Ask the person who gave you the sign-in link for a new one.",
  );
}

/** GET <issuer>/interaction/<uid>/continue/<provider>: redirects to the provider. */
export async function leave(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  argument: string,
): Promise<void> {
  requireGet(request);
  const [uid = "", text = ""] = argument.split("/continue/");
  const { params } = await interactionOf(context, request, response, uid);
  const provider = await providerAt(context.database, text);
  // A forced new sign-in applies to the provider as well.
  const prompt = params["prompt"] === "login" ? "login" : undefined;
  const departure = await departureTo(context, provider, prompt).catch((error: unknown) =>
    fail(context, provider, error),
  );
  const until = new Date(now().getTime() + LIFE_MS);
  await depart(context, request, response, departure, { provider, purpose: { interaction: uid }, until });
}

/** Throws the message for the user; logs the reason. */
function fail({ log }: PageContext, provider: Provider, error: unknown): never {
  const failure = error instanceof Refusal ? error : returnFailure(provider, error);
  const { cause } = failure;
  const code = errorCode(cause);
  log.warn(
    {
      provider: provider.uid,
      said: failure.message,
      reason: cause === undefined ? undefined : reasonOf(cause),
      code,
    },
    "a sign-in elsewhere failed",
  );
  throw failure;
}

/** GET <issuer>/callback/<provider>: handles the return from the provider. */
export async function comeBack(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  const returned = await takeReturn(context, request, text);
  const { away } = returned;
  if ("test" in away) return endTest(context, request, response, returned, away.test);
  const provider = await providerAt(context.database, away.provider);
  if (provider.oidc.issuer !== away.issuer) throw interrupted();
  const interaction = await findInteraction(context.provider, away.interaction);
  if (!interaction) throw expired();
  const arrival = arrivalIn(context.config, request);
  const subject = await signInWith(context, provider, returned, {
    arrival,
    interaction: away.interaction,
  }).catch(async (error: unknown) => {
    // Its keys may have changed: the next attempt reads them again.
    if (!(error instanceof UpstreamFailure)) context.upstream.forget(provider);
    // Without what the provider said: anybody can put a text into a callback.
    await logFailed(context, arrival, provider);
    return fail(context, provider, error);
  });
  interaction.result = { login: { accountId: subject, remember: true } };
  await orExpired(interaction.persist());
  context.marks.set(response, interaction.uid, subject);
  context.remembered.add(request, response, provider.uid);
  // The transaction of the sign-in has told the organization of the provider.
  await logAct(context, arrival, { act: "signIn.provider", subject, except: [rootOf(provider.parent)] });
  redirect(response, interaction.returnTo);
}

/** Seconds in which one failed sign-in of an address at a provider is an entry: anybody can come back without one. */
const ENTRY_S = 60;

async function logFailed(context: PageContext, arrival: Arrival, provider: Provider): Promise<void> {
  const done = { act: "signIn.provider", subject: undefined, reason: "PROVIDER_FAILED", provider } as const;
  const key = `provider-entry:${provider.uid}:${arrival.address}`;
  if ((await take(context.database, { key, most: 1, everyS: ENTRY_S }, context.now())) > 0)
    return tellSignIn({ act: done.act, refused: true });
  await logAct(context, arrival, done);
}

async function signInWith(
  context: PageContext,
  provider: Provider,
  returned: Return,
  origin: { readonly arrival: Arrival; readonly interaction: string },
): Promise<string> {
  const person = await personAt(context, provider, returned);
  const subject = await recordSignIn(context.database, context.config, provider, person, origin);
  if (subject === undefined)
    throw new UpstreamFailure(
      provider,
      `${provider.name} was changed here during the sign-in. Start again from the console.`,
    );
  return subject;
}
