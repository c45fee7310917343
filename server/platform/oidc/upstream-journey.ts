import { parse, serialize } from "hono/utils/cookie";
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from "openid-client";

import type { Config } from "../../config";
import { now } from "../store/clock";
import type { Queries } from "../store/database";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { redirect } from "./answers";
import type { PageContext } from "./page-context";
import { Refusal } from "./requests";
import type { UpstreamPerson } from "./upstream-accounts";
import { personOf } from "./upstream-claims";
import { isUnproved, UpstreamFailure } from "./upstream-client";

const KIND = "UpstreamSignIn";

/** What the way to a provider is for: `interaction` is a sign-in by its uid, `test` a draft as text. */
type Purpose = { readonly interaction: string } | { readonly test: string };

/** State to keep while the user signs in at a provider. */
export type Away = Purpose & {
  readonly provider: string;
  readonly issuer: string;
  readonly verifier: string;
  readonly nonce: string;
};

/** Knowing the state is not sufficient: the browser that it was issued to has the other half in a cookie. */
const idOf = (state: string, browser: string): string =>
  createHash("sha256").update(`${state}\n${browser}`).digest("base64url");

/** Where a provider sends people back to. */
export const redirectUriOf = ({ issuer }: Pick<Config, "issuer">, uid: string): string =>
  `${issuer}/callback/${uid}`;

export const requireGet = ({ method }: IncomingMessage): void => {
  if (method !== "GET") throw new Refusal(405, "Page not found", "Open the page again.", { allow: "GET" });
};

/** The way to a provider, with what only the return may know. */
interface Departure {
  readonly address: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Throws an UpstreamFailure or an error of the library. */
export async function departureTo(
  { config, upstream }: PageContext,
  provider: Provider,
  prompt?: "login",
): Promise<Departure> {
  const [client] = await upstream.clients(provider);
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const address = buildAuthorizationUrl(client, {
    redirect_uri: redirectUriOf(config, provider.uid),
    scope: [...new Set(["openid", ...(provider.oidc.additionalScopes ?? [])])].join(" "),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(prompt && { prompt }),
  });
  return { address, state, nonce, verifier };
}

/** Keeps what the return needs, and redirects. `account`: whose sessions it ends with. */
export async function depart(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { address, state, nonce, verifier }: Departure,
  {
    provider,
    purpose,
    account,
    until,
  }: {
    readonly provider: Provider;
    readonly purpose: Purpose;
    readonly account?: string;
    readonly until: Date;
  },
): Promise<void> {
  const name = context.cookies.names.upstream;
  const browser = parse(request.headers.cookie ?? "", name)[name] ?? randomBytes(32).toString("base64url");
  const away: Away = { ...purpose, provider: provider.uid, issuer: provider.oidc.issuer, verifier, nonce };
  await context.database.query(
    "insert into provider_records (kind, id, payload, account, expires_at) values ($1, $2, $3, $4, $5)",
    [KIND, idOf(state, browser), JSON.stringify(away), account ?? null, until],
  );
  const { path, secure } = context.cookies.lasting;
  response.appendHeader(
    "set-cookie",
    serialize(name, browser, { path, secure, httpOnly: true, sameSite: "Lax" }),
  );
  redirect(response, address.href);
}

/** A return from a provider, with the state that belongs to it. */
export interface Return {
  readonly away: Away;
  /** The address of the callback as the provider has called it. */
  readonly address: URL;
  readonly state: string;
}

/** Takes the stored state, once: a second callback with the same state finds nothing. */
async function takeAway(queries: Queries, state: string, browser: string): Promise<Away | undefined> {
  const [row] = await queries.query<{ payload: string }>(
    "delete from provider_records where kind = $1 and id = $2 and expires_at > $3 returning payload",
    [KIND, idOf(state, browser), now()],
  );
  return row && JSON.parse(row.payload);
}

export const interrupted = (): Refusal =>
  new Refusal(
    400,
    "This sign-in can't continue",
    "It was already completed, open too long, or started in another browser. Start again from the console.",
  );

/** What a callback of a provider returns to. Throws a Refusal. */
export async function takeReturn(
  context: PageContext,
  request: IncomingMessage,
  provider: string,
): Promise<Return> {
  requireGet(request);
  const { search, searchParams } = new URL(request.url ?? "/", context.site.origin);
  const state = searchParams.get("state") ?? "";
  const name = context.cookies.names.upstream;
  const browser = parse(request.headers.cookie ?? "", name)[name];
  const away = state && browser ? await takeAway(context.database, state, browser) : undefined;
  if (!away || away.provider !== provider) throw interrupted();
  const address = new URL(redirectUriOf(context.config, provider));
  address.search = search;
  return { away, address, state };
}

/** Redeems the code of a return, and verifies who it is. Throws an UpstreamFailure or an error of the library. */
export async function personAt(
  context: PageContext,
  provider: Provider,
  { away: { verifier, nonce }, address, state }: Return,
): Promise<UpstreamPerson> {
  const [upstream, other] = await context.upstream.clients(provider);
  const redeem = (as: Configuration) =>
    authorizationCodeGrant(as, address, {
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
  return personOf(upstream, provider, claims, tokens.access_token);
}
