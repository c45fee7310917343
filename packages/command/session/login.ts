import { spawn } from "node:child_process";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as oidc from "openid-client";

import { SignedOutError } from "../cli/errors";
import type { Kept } from "./files";
import { discover, explained, kept } from "./issuer";
import type { Server } from "./server";

const PATH = "/callback";
const WAIT_MS = 5 * 60_000;

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
const DONE = page("Signed in", "You can close this page and go back to the terminal.");
const FAILED = page("Not signed in", "The terminal says why. You can close this page.");

/** Opens an address in the person's browser, if there is a program for that. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", address]
        : ["xdg-open", address];
  const opened = spawn(command as string, args, { stdio: "ignore", detached: true });
  // The address is printed as well.
  opened.on("error", () => undefined);
  opened.unref();
}

interface Returned {
  readonly address: URL;
  /** Shows the person a page, once it is known which. */
  show(html: string): void;
}

/** Waits for the browser to come back with this `state`; anything else that comes is sent away. */
function comeBack(server: HttpServer, origin: string, state: string, signal: AbortSignal): Promise<Returned> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(
      () => reject(new SignedOutError("Nobody signed in within five minutes.")),
      WAIT_MS,
    );
    server.on("close", () => clearTimeout(timer));
    server.on("request", (request, response) => {
      const headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        connection: "close",
      };
      const address = new URL(request.url ?? "/", origin);
      const wanted =
        request.method === "GET" &&
        // A name of somebody else can lead to this port too.
        request.headers.host === new URL(origin).host &&
        address.pathname === PATH &&
        address.searchParams.get("state") === state;
      if (!wanted) return void response.writeHead(404, headers).end(page("Not found", "Nothing is here."));
      resolve({ address, show: (html) => void response.writeHead(200, headers).end(html) });
    });
  });
}

/**
 * Signs in with the authorization code and PKCE, through a port of 127.0.0.1 (RFC 8252). `say` gets the address to open.
 */
export async function login(
  { scope, extraParams }: Server,
  {
    issuer,
    clientId,
    browser,
  }: { readonly issuer: string; readonly clientId: string; readonly browser: boolean },
  say: (address: string) => void,
  signal: AbortSignal,
): Promise<Kept> {
  const issuing = await discover(issuer, clientId);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const asked = oidc.buildAuthorizationUrl(issuing, {
      ...extraParams,
      redirect_uri: `${origin}${PATH}`,
      scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const returned = comeBack(server, origin, state, signal);
    say(asked.href);
    if (browser) openBrowser(asked.href);
    const { address, show } = await returned;
    try {
      const answer = await oidc.authorizationCodeGrant(issuing, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      show(DONE);
      return kept(answer, { issuer, clientId });
    } catch (error) {
      show(FAILED);
      throw explained(error, issuer);
    }
  } finally {
    server.close();
  }
}
