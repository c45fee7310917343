import { describe, expect, it } from "vitest";

import {
  answers,
  authority,
  baseUrl,
  comeBack,
  exchangeAnew,
  json,
  metadata,
  NOW,
  open,
  sent,
  setAnswers,
  storage,
} from "./testing/exchange";

exchangeAnew();

describe("a sign-in", () => {
  it("asks for a code with PKCE, state and nonce, and keeps the secret of it in this tab", async () => {
    const url = new URL(await open({ audience: "api" }).begin("/x/"));
    const asked = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).toBe(`${authority}/auth`);
    expect(asked).toMatchObject({
      client_id: "console",
      redirect_uri: baseUrl,
      response_type: "code",
      scope: "openid profile",
      code_challenge_method: "S256",
      audience: "api",
    });
    expect(asked["code_challenge"]).toMatch(/^[\w-]{43}$/);
    expect(asked["nonce"]).toMatch(/.{20}/);
    expect(storage.entries()).toHaveLength(1);
    expect(url.href).not.toContain("/x/groups");
  });

  it("returns tokens, the person and the return path", async () => {
    const { finished } = await comeBack();
    expect(await finished).toEqual({
      returnPath: "/x/groups?order=name",
      tokens: {
        accessToken: "a1",
        refreshToken: "r1",
        idToken: expect.any(String),
        scope: "openid profile",
        obtainedAt: NOW,
        expiresAt: expect.closeTo(NOW / 1000 + 600, -1),
        issuer: authority,
        subject: "ada",
        email: "ada@example.com",
        name: "Ada Lovelace",
      },
    });
    const { body } = sent.at(-1) ?? { body: new URLSearchParams() };
    expect(body.get("code_verifier")).toMatch(/^[\w-]{43,}$/);
    expect(body.get("redirect_uri")).toBe(baseUrl);
  });

  it("can be completed once, and only in the tab that started it", async () => {
    const { provider, href, finished } = await comeBack();
    await finished;
    const requests = sent.length;
    await expect(provider.finish(href)).rejects.toMatchObject({ kind: "stale" });
    await expect(provider.finish(`${baseUrl}?code=c&state=other`)).rejects.toMatchObject({ kind: "stale" });
    expect(sent).toHaveLength(requests);
  });

  it("describes a refusal in words, with the return path", async () => {
    const { finished } = await comeBack({ query: { error: "access_denied", error_description: "no" } });
    await expect(finished).rejects.toMatchObject({
      kind: "refused",
      message: "Sign-in was canceled or denied.",
      options: { code: "access_denied", detail: "no", returnPath: "/x/groups?order=name" },
    });
  });

  it.each([
    ["another issuer in the address", { query: { iss: "https://evil.example" } }, "stale"],
    ["another issuer in the token", { claims: { iss: "https://evil.example" } }, "refused"],
    ["another client", { claims: { aud: ["other"] } }, "refused"],
    ["another nonce", { claims: { nonce: "other" } }, "stale"],
  ])("refuses %s", async (_what, change, kind) => {
    const { finished } = await comeBack(change);
    await expect(finished).rejects.toMatchObject({ kind });
  });

  it.each([
    ["nothing", undefined, "can't be reached"],
    [
      "HTML",
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      "returned an unexpected response",
    ],
    ["something else", json({}), "returned an unexpected response"],
  ])("says what is at the authority: %s", async (_what, answer, words) => {
    setAnswers(answer ? { "/.well-known/openid-configuration": answer } : {});
    await expect(open().begin("/x/")).rejects.toMatchObject({
      kind: "unreachable",
      message: `The sign-in service at ${authority} ${words}.`,
    });
  });
});

it("counts as unreachable while it responds with an error", async () => {
  setAnswers({ "/.well-known/openid-configuration": json(metadata) });
  await open().reach();
  setAnswers({ "/.well-known/openid-configuration": json({}, 503) });
  await expect(open().reach()).rejects.toMatchObject({ kind: "unreachable" });
});

describe("a refresh", () => {
  const refresh = async (answer: () => Response) => {
    const { provider, finished } = await comeBack();
    const { tokens } = await finished;
    answers["/token"] = answer;
    return provider.refresh(tokens);
  };

  it("keeps values that the response omits", async () => {
    const renewed = await refresh(json({ access_token: "a2", token_type: "Bearer" }));
    expect(renewed).toMatchObject({
      accessToken: "a2",
      refreshToken: "r1",
      subject: "ada",
      email: "ada@example.com",
    });
    expect(renewed.expiresAt).toBeUndefined();
    expect(sent.at(-1)?.body.get("refresh_token")).toBe("r1");
  });

  it("takes the new refresh token", async () => {
    const renewed = await refresh(
      json({ access_token: "a2", refresh_token: "r2", expires_in: 60, token_type: "Bearer" }),
    );
    expect(renewed.refreshToken).toBe("r2");
  });

  it.each([
    ["invalid_grant", 400, "refused"],
    ["temporarily_unavailable", 503, "unreachable"],
    [undefined, 500, "unreachable"],
  ])("tells %s from an outage", async (error, status, kind) => {
    await expect(refresh(json({ error }, status))).rejects.toMatchObject({ kind });
  });
});

describe("leaving", () => {
  it("is done at the provider, with the ID token as a hint", async () => {
    const { provider, finished } = await comeBack();
    const { tokens } = await finished;
    answers["/revoke"] = () => new Response(null, { status: 200 });
    await provider.revoke(tokens);
    expect(sent.at(-1)?.body.get("token")).toBe("r1");
    const url = new URL((await provider.signOutAddress(tokens)) ?? "");
    expect(url.pathname).toBe("/logout");
    expect(url.searchParams.get("id_token_hint")).toBe(tokens.idToken);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(baseUrl);
    expect(url.href).not.toMatch(/\ba1\b|\br1\b/);
  });

  it("is skipped if the issuer has no end_session_endpoint", async () => {
    const { end_session_endpoint: _end, revocation_endpoint: _revoke, ...little } = metadata;
    setAnswers({ "/.well-known/openid-configuration": json(little) });
    const { provider, finished } = await comeBack();
    const { tokens } = await finished;
    await provider.revoke(tokens);
    expect(await provider.signOutAddress(tokens)).toBeUndefined();
  });
});
