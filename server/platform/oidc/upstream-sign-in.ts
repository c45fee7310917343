import { parse, serialize } from "hono/utils/cookie";
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as client from "openid-client";

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
import { recordSignIn } from "./upstream-accounts";
import { personOf } from "./upstream-claims";
import { isUnproved, returnFailure, UpstreamFailure } from "./upstream-client";

/** Lifetime in milliseconds, same as the interaction it belongs to. */
const LIFE_MS = 3_600_000;
const KIND = "UpstreamSignIn";

/** State to keep while the user signs in at a provider. */
interface Away {
  readonly interaction: string;
  readonly provider: string;
  readonly issuer: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** Knowing the state is not sufficient: the browser that it was issued to has the other half in a cookie. */
const idOf = (state: string, browser: string): string =>
  createHash("sha256").update(`${state}\n${browser}`).digest("base64url");

const callbackOf = ({ config }: PageContext, uid: string): string => `${config.issuer}/callback/${uid}`;

const requireGet = ({ method }: IncomingMessage): void => {
  if (method !== "GET") throw new Refusal(405, "Page not found", "Open the page again.", { allow: "GET" });
};

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
  const { additionalScopes = [], issuer } = provider.oidc;
  const names = context.cookies.names.upstream;
  const browser = parse(request.headers.cookie ?? "", names)[names] ?? randomBytes(32).toString("base64url");
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ];
  const address = await context.upstream
    .clients(provider)
    .then(async ([upstream]) =>
      client.buildAuthorizationUrl(upstream, {
        redirect_uri: callbackOf(context, provider.uid),
        scope: [...new Set(["openid", ...additionalScopes])].join(" "),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        // A forced new sign-in applies to the provider as well.
        ...(params["prompt"] === "login" && { prompt: "login" }),
      }),
    )
    .catch((error: unknown) => fail(context, provider, error));
  const away: Away = { interaction: uid, provider: provider.uid, issuer, verifier, nonce };
  await context.database.query(
    "insert into provider_records (kind, id, payload, expires_at) values ($1, $2, $3, $4)",
    [KIND, idOf(state, browser), JSON.stringify(away), new Date(now().getTime() + LIFE_MS)],
  );
  const { path, secure } = context.cookies.lasting;
  response.appendHeader(
    "set-cookie",
    serialize(names, browser, { path, secure, httpOnly: true, sameSite: "Lax" }),
  );
  redirect(response, address.href);
}

/** Takes the stored state, once: a second callback with the same state finds nothing. */
async function takeAway(queries: Queries, state: string, browser: string): Promise<Away | undefined> {
  const [row] = await queries.query<{ payload: string }>(
    "delete from provider_records where kind = $1 and id = $2 and expires_at > $3 returning payload",
    [KIND, idOf(state, browser), now()],
  );
  return row && JSON.parse(row.payload);
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

const interrupted = (): Refusal =>
  new Refusal(
    400,
    "This sign-in can't continue",
    "It was already completed, open too long, or started in another browser. Start again from the console.",
  );

/** GET <issuer>/callback/<provider>: handles the return from the provider. */
export async function comeBack(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): Promise<void> {
  requireGet(request);
  const { search, searchParams } = new URL(request.url ?? "/", context.site.origin);
  const state = searchParams.get("state") ?? "";
  const name = context.cookies.names.upstream;
  const browser = parse(request.headers.cookie ?? "", name)[name];
  const away = state && browser ? await takeAway(context.database, state, browser) : undefined;
  if (!away || away.provider !== text) throw interrupted();
  const provider = await providerAt(context.database, away.provider);
  if (provider.oidc.issuer !== away.issuer) throw interrupted();
  const interaction = await findInteraction(context.provider, away.interaction);
  if (!interaction) throw expired();
  const address = new URL(callbackOf(context, provider.uid));
  address.search = search;
  const arrival = arrivalIn(context.config, request);
  const subject = await signInWith(context, provider, away, address, { state, arrival }).catch(
    async (error: unknown) => {
      // Its keys may have changed: the next attempt reads them again.
      if (!(error instanceof UpstreamFailure)) context.upstream.forget(provider);
      // Without what the provider said: anybody can put a text into a callback.
      await logFailed(context, arrival, provider);
      return fail(context, provider, error);
    },
  );
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
  { verifier, nonce, interaction }: Away,
  address: URL,
  { state, arrival }: { readonly state: string; readonly arrival: Arrival },
): Promise<string> {
  const [upstream, other] = await context.upstream.clients(provider);
  const redeem = (as: client.Configuration) =>
    client.authorizationCodeGrant(as, address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
  // A failed client authentication does not consume the code.
  const tokens = await redeem(upstream).catch((error: unknown) => {
    if (other && isUnproved(error)) return redeem(other);
    throw error;
  });
  const claims = tokens.claims();
  if (!claims) throw new UpstreamFailure(provider, `${provider.name} didn't send an ID token.`);
  const person = await personOf(upstream, provider, claims, tokens.access_token);
  const subject = await recordSignIn(context.database, context.config, provider, person, {
    arrival,
    interaction,
  });
  if (subject === undefined)
    throw new UpstreamFailure(
      provider,
      `${provider.name} was changed here during the sign-in. Start again from the console.`,
    );
  return subject;
}
