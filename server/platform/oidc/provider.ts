import type { JSONWebKeySet } from "jose";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { KoaContextWithOIDC } from "oidc-provider";

import type { Config } from "../../config";
import type { Log } from "../../log";
import type { Post } from "../mail/post";
import { Failure } from "../../status";
import { now as clock } from "../store/clock";
import type { Database } from "../store/database";
import { publicKeys } from "../store/keys/es256";
import { sealedTexts } from "../store/keys/sealed-texts";
import { adapterFactory } from "./adapter";
import { redirect, sendJson, sendPage, setHeaders } from "./answers";
import { configuration } from "./configuration";
import { cookiesOf } from "./cookies";
import { createDemoAccounts } from "./demo-accounts";
import type { PageContext } from "./page-context";
import { logAbandonedSignIns } from "./factors/abandoned-sign-ins";
import { SECURITY_PATH, security } from "./factors/security";
import { secondStep, STEP_PATH } from "./factors/second-step";
import { createDevices } from "./devices";
import { ClientLeft } from "./hash-queue";
import { confirmEmail, ownEmail } from "./account-email";
import { createGate } from "./gate";
import { forgotPassword, resetByMail } from "./forgot-password";
import { signIn, signUp } from "./interaction";
import { loadKeys, readSigningKeys } from "./keys";
import { loadPackage } from "./load";
import { passkeyScript } from "./passkey-script";
import { errorPage } from "./pages";
import { changePassword } from "./password-change";
import { createMarks, requireMark } from "./marks";
import { createRememberedProviders } from "./remembered-providers";
import { elsewhere, pathBelow, pinHost, Refusal, requireOwnPage, requireShort } from "./requests";
import { script } from "./script";
import { arrivalIn, logAct, recordAct } from "./sign-in-log";
import { PASSKEY_SCRIPT_PATH, SCRIPT_PATH, siteOf, STYLESHEET_PATH } from "./site";
import { beginTest } from "./sign-in-test";
import { createThrottle } from "./throttle";
import type { Typeface } from "./typeface";
import { createUpstream } from "./upstream-client";
import { comeBack, leave } from "./upstream-sign-in";

export interface OidcProvider {
  /** Handles all requests under <PUBLIC_URL>/oidc; never throws. */
  readonly callback: (request: IncomingMessage, response: ServerResponse) => void;
  /** Public keys of access tokens; reloaded if `kid` is not among them. */
  readonly jwks: (kid?: string) => Promise<JSONWebKeySet>;
}

/** Minimum milliseconds between reloads from the database for unknown key IDs. */
const LOOK_EVERY_MS = 5_000;

type Page = (
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  argument: string,
) => Promise<void>;

/** Where a sign-in becomes a session. */
const RESUME_PATH = /^\/auth\/([\w-]{1,64})$/;

/** Our own pages: pattern of the path below the mount, and handler (its argument is the match or the query). */
const PAGES: readonly [pattern: RegExp, page: Page][] = [
  [/^\/interaction\/([\w-]{1,64})$/, signIn],
  [/^\/interaction\/([\w-]{1,64})\/create-account$/, signUp],
  [/^\/interaction\/([\w-]{1,64})\/forgot-password$/, forgotPassword],
  [/^\/interaction\/([\w-]{1,64}\/continue\/[0-9a-f_]{1,1000})$/, leave],
  [/^\/callback\/([0-9a-f/]{1,1000})$/, comeBack],
  [/^\/test\/([\w-]{43})$/, beginTest],
  [/^\/account\/password()$/, changePassword],
  [/^\/account\/reset-password()$/, resetByMail],
  [/^\/account\/email()$/, ownEmail],
  [/^\/account\/confirm-email()$/, confirmEmail],
  [STEP_PATH, secondStep],
  [SECURITY_PATH, security],
];

/** Pages that change nothing but who is signed in. */
const SIGN_IN: ReadonlySet<Page> = new Set([signIn, secondStep, leave, comeBack]);

/**
 * Creates the service's OpenID provider (issuer `config.issuer`), with its sign-in pages and its state in the database.
 * `now` is the clock for the refresh tokens' reuse window and the throttle.
 */
export async function createProvider({
  config,
  database,
  log,
  typeface,
  mail,
  now = clock,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly typeface?: Typeface | undefined;
  readonly mail?: Post | undefined;
  readonly now?: () => Date;
}): Promise<OidcProvider> {
  const { Provider, errors, interactionPolicy: policy } = await loadPackage();
  const site = siteOf(config, typeface);
  const cookies = cookiesOf(config, site);
  const keys = await loadKeys(database, config.keyMaxAge, now());
  let verifying = keys.signing;
  let lookedAt = 0;
  const recorder = { config, database, log };
  const adapter = adapterFactory({
    database,
    now,
    pruned: (queries, records) => logAbandonedSignIns({ config, log }, queries, records),
    ending(work) {
      const { ctx } = Provider;
      const subject = ctx?.oidc.route.startsWith("end_session") ? ctx.oidc.session?.accountId : undefined;
      if (!ctx || subject === undefined) return work(database);
      return recordAct(recorder, arrivalIn(config, ctx.req), { act: "signOut", subject }, work);
    },
    used: () => new errors.InvalidGrant("code already consumed"),
    signingIn() {
      const { Interaction: from } = Provider.ctx?.oidc.entities ?? {};
      return from?.result?.login && { id: from.uid, account: from.result.login.accountId };
    },
    gone: () => new errors.SessionNotFound("the sign-in was ended meanwhile"),
  });
  const refuseTarget = () => new errors.InvalidTarget("unknown resource");
  const provider = new Provider(
    config.issuer,
    configuration({ config, site, cookies, database, keys, adapter, refuseTarget, policy }),
  );
  // We set the forwarded headers ourselves: see pinHost.
  provider.proxy = true;
  // Koa's default listener writes to standard error.
  const emitter: NodeJS.EventEmitter = provider;
  emitter.on("error", (error: Error) => log.error({ err: error }, "the provider failed"));
  provider.on("server_error", (ctx, error) =>
    log.error({ err: error, path: ctx.path }, "the provider failed"),
  );
  provider.on("grant.revoked", (ctx, grant) => log.info({ grant, path: ctx.path }, "a grant was revoked"));
  // The library says invalid_request (RFC 6749, section 5.2).
  provider.use(async (ctx, next) => {
    await next();
    const { error_description: description }: Record<string, unknown> = Object(ctx.body);
    if (description === "requested grant type is not allowed for this client")
      ctx.body = { error: "unauthorized_client", error_description: description };
  });
  // Before the client has its token: without the entry it gets none.
  provider.use(async (ctx, next) => {
    await next();
    const { client, params } = (ctx as KoaContextWithOIDC).oidc ?? {};
    if (ctx.status !== 200 || params?.["grant_type"] !== "client_credentials" || !client) return;
    const done = { act: "signIn.client", subject: client.clientId } as const;
    try {
      await logAct(recorder, arrivalIn(config, ctx.req), done);
    } catch (error) {
      ctx.status = error instanceof Failure ? error.http : 500;
      ctx.set("retry-after", "1");
      ctx.body = { error: "server_error", error_description: "the sign-in can't be logged now, try again" };
      emitter.emit("error", error);
    }
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined || ctx.accepts("json", "html") !== "html") return;
    ctx.status = 404;
    ctx.type = "html";
    ctx.body = await errorPage(site, {
      title: "Page not found",
      message: "Check the address.",
    });
  });

  const texts = sealedTexts(config);
  const context: PageContext = {
    config,
    site,
    database,
    provider,
    throttle: createThrottle(database, now, { signUps: config.signUpLimit }),
    devices: createDevices(keys.cookies, cookies),
    marks: createMarks(keys.cookies, cookies),
    demoAccounts: createDemoAccounts(config, database),
    cookies,
    remembered: createRememberedProviders(database, cookies),
    upstream: createUpstream(config, texts),
    texts,
    log,
    mail,
    now,
  };
  const answer = provider.callback();
  const gate = createGate(config);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rest = pathBelow(site, request.url ?? "/");
    const [path = "/"] = rest.split("?", 1);
    const right = elsewhere(config, site, request, rest);
    if (right !== undefined) return redirect(response, right, 307);
    pinHost(site, request);
    setHeaders(site, response);

    if (STYLESHEET_PATH.test(path)) return sendText(request, response, "text/css", site.styles);
    if (SCRIPT_PATH.test(path)) return sendText(request, response, "text/javascript", script);
    if (PASSKEY_SCRIPT_PATH.test(path)) return sendText(request, response, "text/javascript", passkeyScript);
    await gate(request, response, () => answered(request, response, rest));
  }

  async function answered(request: IncomingMessage, response: ServerResponse, rest: string): Promise<void> {
    const [path = "/", query] = rest.split(/(?=\?)/, 2);
    for (const [pattern, page] of PAGES) {
      const argument = pattern.exec(path)?.[1];
      if (argument === undefined) continue;
      if (!["GET", "HEAD", "POST"].includes(request.method ?? ""))
        throw new Refusal(405, "Form not found", "Open the page again.", { allow: "GET, HEAD, POST" });
      if (config.readOnly && request.method === "POST" && !SIGN_IN.has(page))
        throw new Refusal(
          503,
          "This can't be changed right now",
          "The service is read-only for maintenance.",
          {
            "retry-after": "60",
          },
        );
      return page(context, request, response, argument || (query ?? ""));
    }
    if (path === "/session/end/confirm") requireOwnPage(site, request);
    requireShort(rest.slice(path.length + 1));
    const resumed = RESUME_PATH.exec(path)?.[1];
    if (resumed !== undefined) await requireMark(context, request, resumed);
    // Without originalUrl, the provider builds its addresses with this prefix, whatever the path of PUBLIC_URL.
    Object.assign(request, { baseUrl: site.mount });
    request.url = rest;
    await answer(request, response);
  }

  async function fail(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
    if (error instanceof ClientLeft || response.headersSent || (request.destroyed && !request.complete))
      return void response.destroy();
    const refused = error instanceof Refusal;
    if (!refused)
      log.error({ err: error, path: request.url?.split("?", 1)[0] }, "a page of the provider failed");
    const title = refused ? error.title : "Something went wrong";
    const message = refused ? error.message : "The sign-in service has a problem. Try again in a moment.";
    // An unreachable database also throws a Failure.
    const status = refused ? error.status : error instanceof Failure ? error.http : 500;
    const headers = refused ? error.headers : {};
    // OAuth clients ask for JSON (RFC 6749, section 5.2); the code is that of section 4.1.2.1.
    const { accept = "" } = request.headers;
    if (accept.includes("application/json") && !accept.includes("text/html")) {
      const code =
        status === 503 ? "temporarily_unavailable" : status < 500 ? "invalid_request" : "server_error";
      return sendJson(response, status, { error: code, error_description: message }, headers);
    }
    sendPage(request, response, await errorPage(site, { title, message }), status, headers);
  }

  return {
    callback: (request, response) =>
      void handle(request, response)
        .catch((error: unknown) => fail(request, response, error))
        .catch(() => response.destroy()),
    async jwks(kid) {
      const known = kid === undefined || verifying.some((key) => key.kid === kid);
      if (!known && now().getTime() - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = now().getTime();
        verifying = await readSigningKeys(database);
      }
      return publicKeys(verifying);
    },
  };
}

function sendText(request: IncomingMessage, response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, {
    "content-type": `${type}; charset=utf-8`,
    "content-length": Buffer.byteLength(text),
    "cache-control": "public, max-age=31536000, immutable",
  });
  response.end(request.method === "HEAD" ? undefined : text);
}
