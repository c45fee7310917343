import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { createHash, randomBytes } from "node:crypto";

import { createClient } from "platform-client";
import { ApiError } from "platform-client/errors";
import { apiAddress, issuerAddress } from "platform-client/service-address";
import type { Method } from "platform-contract/endpoint";
import type { Group } from "platform-contract/iam/groups";
import type { Status } from "platform-contract/status";
import { trimEndOf } from "platform-contract/trim";

import { UNDER_KILLS } from "./under-kills";

/** The console's configuration, read from its config.json, so that any deployment can be tested. */
interface ConsoleConfig {
  readonly apiBaseUrl: string;
  readonly idempotencyKeys?: boolean;
  readonly oidc: { readonly authority: string; readonly clientId: string; readonly scope: string };
}

type Json = Record<string, unknown>;

/** Returns the console's address with a trailing slash, or that of a path below it. */
export const address = (path = ""): string => new URL(path, process.env["BASE_URL"]).href;

/** Navigates as a link of the console would, without a reload. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState({}, "", to), address(path));

/** The API with the person's token, bypassing the console, to check what the console claims. */
export interface Api {
  /** Throws on an error status. `path` begins with a slash: `/iam/v2/groups`. */
  get<T = Json>(path: string): Promise<T>;
  post<T = Json>(path: string, body: unknown): Promise<T>;
  patch<T = Json>(path: string, body: unknown): Promise<T>;
  delete(path: string): Promise<void>;
  /** Returns the error's status; throws if the request succeeds. */
  refusal(method: Method, path: string, body?: unknown): Promise<Status & { http: number }>;
  /** Creates an organization that the caller owns. */
  createOrganization(name: string): Promise<Group>;
  /** Issuer and subject from the token. */
  readonly who: { readonly issuer: string; readonly subject: string };
}

/** A person who has no account yet. */
interface Newcomer {
  readonly email: string;
  readonly password: string;
}

/**
 * Joins the session of a signed-in browser context: the provider issues a second access token without a prompt, as for
 * a second tab. `request` is the context's, `at` the console's base address; `direct` is the API's address, if it
 * differs from the one the console uses. With a `newcomer`, first creates an account as the provider's form does, which
 * signs the context in.
 */
export async function connect(
  request: APIRequestContext,
  at: string = address(),
  { direct, newcomer }: { readonly direct?: string | undefined; readonly newcomer?: Newcomer } = {},
): Promise<Api> {
  const config = (await (await request.get(new URL("config.json", at).href)).json()) as ConsoleConfig;
  let token = await accessToken(request, config, at, newcomer);
  const { iss, sub } = claimsOf(token);

  /** At most eight in flight: a caller may have two running and twenty queued, shared with the person's tabs. */
  const sending = new Set<Promise<unknown>>();
  async function sendNow(url: string, { method = "GET", headers, body }: RequestInit): Promise<Response> {
    const answer = await request.fetch(url, {
      method,
      headers: headers as Record<string, string>,
      ...(typeof body === "string" && { data: body }),
    });
    const text = await answer.text();
    return new Response(text || null, { status: answer.status(), headers: answer.headers() });
  }
  const { send } = createClient({
    baseUrl: direct ?? apiAddress(config.apiBaseUrl, at),
    async token() {
      // A long test outlives its first token.
      if (claimsOf(token).exp * 1000 < Date.now() + 30_000) token = await accessToken(request, config, at);
      return token;
    },
    idempotencyKeys: config.idempotencyKeys === true,
    // Longer than a restart. Without kills, a test sees each refusal.
    retries: UNDER_KILLS ? 10 : 0,
    async fetch(url, init = {}) {
      // oxlint-disable-next-line no-await-in-loop -- until there is room
      while (sending.size >= 8) await Promise.race(sending);
      const sent = sendNow(String(url), init);
      const settled = sent.catch(() => undefined).finally(() => sending.delete(settled));
      sending.add(settled);
      return sent;
    },
  });

  /** A test changes what nobody else changes, so it can send an update again. */
  const accepted = (method: Method, path: string, body?: unknown): Promise<never> =>
    send(method, path, { body, repeatable: method !== "POST" || config.idempotencyKeys === true }).catch(
      (error: unknown) => {
        const { http, status }: Partial<ApiError> = Object(error);
        throw new Error(`${method} ${path}: ${http} ${JSON.stringify(status)}`, { cause: error });
      },
    ) as Promise<never>;
  return {
    get: (path) => accepted("GET", path),
    post: (path, body) => accepted("POST", path, body),
    patch: (path, body) => accepted("PATCH", path, body),
    delete: (path) => accepted("DELETE", path),
    refusal: async (method, path, body) => {
      const error = await send(method, path, { body }).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      expect(error, `${method} ${path} was accepted`).toBeInstanceOf(ApiError);
      const { http = 0, status } = error as ApiError;
      return { http, ...(status as Status) };
    },
    createOrganization: (name) => accepted("POST", "/iam/v2/groups", { name }),
    who: { issuer: iss, subject: sub },
  };
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    readonly iss: string;
    readonly sub: string;
    /** In seconds. */
    readonly exp: number;
  };

/** Authorization code with PKCE; `prompt=none` for a signed-in session (OpenID Connect Core, section 3.1.2.1). */
async function accessToken(
  request: APIRequestContext,
  { oidc }: ConsoleConfig,
  at: string,
  newcomer?: Newcomer,
): Promise<string> {
  const authority = trimEndOf(issuerAddress(oidc.authority, at), "/");
  const discovery = (await (await request.get(`${authority}/.well-known/openid-configuration`)).json()) as {
    authorization_endpoint: string;
    token_endpoint: string;
  };
  const verifier = randomBytes(32).toString("base64url");
  const shared = { client_id: oidc.clientId, redirect_uri: at };
  const asked = new URL(discovery.authorization_endpoint);
  asked.search = new URLSearchParams({
    ...shared,
    response_type: "code",
    scope: "openid profile email",
    ...(!newcomer && { prompt: "none" }),
    state: randomBytes(8).toString("hex"),
    nonce: randomBytes(8).toString("hex"),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const sentBack = newcomer
    ? await signUp(request, asked.href, newcomer)
    : (await request.get(asked.href, { maxRedirects: 0 })).headers()["location"];
  const code = new URL(sentBack ?? "", at).searchParams.get("code");
  if (code === null) throw new Error(`no code: ${sentBack}`);
  const form = { ...shared, grant_type: "authorization_code", code, code_verifier: verifier };
  const answer = (await (await request.post(discovery.token_endpoint, { form })).json()) as Json;
  if (typeof answer["access_token"] !== "string") throw new Error(`no token: ${JSON.stringify(answer)}`);
  return answer["access_token"];
}

/** Submits the provider's sign-up form; returns the address it redirects to. */
async function signUp(request: APIRequestContext, asked: string, newcomer: Newcomer): Promise<string> {
  const signInPage = (await request.get(asked)).url();
  const sent = await request.post(`${signInPage}/create-account`, {
    form: { ...newcomer },
    headers: { origin: new URL(signInPage).origin },
  });
  return sent.url();
}
