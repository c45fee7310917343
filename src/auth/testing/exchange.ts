import { afterEach, beforeEach, vi } from "vitest";

import { createProvider } from "../provider";
import { FakeStorage } from "./fake-browser";

export const authority = "https://id.example";
export const baseUrl = "https://console.example/x/";
export const NOW = Date.now();

export const metadata = {
  issuer: authority,
  authorization_endpoint: `${authority}/auth`,
  token_endpoint: `${authority}/token`,
  end_session_endpoint: `${authority}/logout`,
  revocation_endpoint: `${authority}/revoke`,
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
export const idToken = (claims: object) => `${part({ alg: "ES256" })}.${part(claims)}.signature`;

export let storage: FakeStorage;
type Answers = Record<string, () => Response | Promise<Response>>;
export let answers: Answers;
export let sent: { url: string; body: URLSearchParams }[];

export const json =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, { status });

/** Sets the provider's responses by path; other paths get none. */
export function setAnswers(given: Answers): void {
  answers = given;
}

/** Before each test of the calling file: sets up empty storage, and a provider that serves its metadata. */
export function exchangeAnew(): void {
  beforeEach(() => {
    storage = new FakeStorage();
    sent = [];
    answers = { "/.well-known/openid-configuration": json(metadata) };
    vi.stubGlobal("fetch", async (url: string, init: { body?: URLSearchParams }) => {
      sent.push({ url, body: init.body ?? new URLSearchParams() });
      const answer = answers[new URL(url).pathname];
      if (!answer) throw new TypeError("fetch failed");
      return answer();
    });
  });
  afterEach(() => vi.unstubAllGlobals());
}

export const open = (extraParams = {}) =>
  createProvider(
    { baseUrl, oidc: { authority, clientId: "console", scope: "openid profile", extraParams } },
    storage,
    () => NOW,
  );

export const claimsOf = (nonce: string | null) => ({
  iss: authority,
  aud: "console",
  sub: "ada",
  name: "Ada Lovelace",
  email: "ada@example.com",
  exp: NOW / 1000 + 600,
  iat: NOW / 1000,
  nonce,
});

/** Starts and completes a sign-in; the options override parts of the response. */
export async function comeBack(
  { tokens = {}, query = {}, claims = {} }: { tokens?: object; query?: object; claims?: object } = {},
  provider = open(),
) {
  const asked = new URL(await provider.begin("/x/groups?order=name")).searchParams;
  answers["/token"] = json({
    access_token: "a1",
    refresh_token: "r1",
    id_token: idToken({ ...claimsOf(asked.get("nonce")), ...claims }),
    token_type: "Bearer",
    expires_in: 600,
    ...tokens,
  });
  const href = `${baseUrl}?${new URLSearchParams({ code: "c", state: asked.get("state") ?? "", ...query })}`;
  return { provider, href, finished: provider.finish(href) };
}
