import { describe, expect, it } from "vitest";

import { AuthError } from "./errors";
import {
  answers,
  baseUrl,
  claimsOf,
  comeBack,
  exchangeAnew,
  idToken,
  json,
  setAnswers,
} from "./testing/exchange";

exchangeAnew();

describe("a silent renewal", () => {
  const renewSilently = async (answer: (asked: URLSearchParams) => Promise<string>, claims: object = {}) => {
    const { provider, finished } = await comeBack({ tokens: { refresh_token: undefined } });
    const { tokens } = await finished;
    let asked = new URLSearchParams();
    const renewed = provider.renewSilently(tokens, async (address) => {
      asked = new URL(address).searchParams;
      const id_token = idToken({ ...claimsOf(asked.get("nonce")), ...claims });
      answers["/token"] = json({ access_token: "a2", id_token, token_type: "Bearer", expires_in: 600 });
      return answer(asked);
    });
    return { renewed, asked: () => asked, tokens };
  };
  const back = async (asked: URLSearchParams) =>
    `${baseUrl}?${new URLSearchParams({ code: "c2", state: asked.get("state") ?? "" })}`;

  it("sends prompt=none, and names the session by its ID token", async () => {
    const { renewed, asked, tokens } = await renewSilently(back);
    expect(await renewed).toMatchObject({ accessToken: "a2", subject: "ada", email: "ada@example.com" });
    expect(Object.fromEntries(asked())).toMatchObject({
      prompt: "none",
      code_challenge_method: "S256",
      redirect_uri: baseUrl,
      id_token_hint: tokens.idToken,
    });
  });

  it("is refused if the provider needs interaction, or another user is signed in there", async () => {
    const login = async (asked: URLSearchParams) =>
      `${baseUrl}?error=login_required&state=${asked.get("state")}`;
    await expect((await renewSilently(login)).renewed).rejects.toMatchObject({
      kind: "refused",
      options: { code: "login_required" },
    });
    const { renewed } = await renewSilently(back, { sub: "grace" });
    await expect(renewed).rejects.toMatchObject({ kind: "refused" });
  });

  it("tells a provider that refuses frames from one that cannot be reached", async () => {
    const silence = async () => Promise.reject(new AuthError("unreachable", "nothing came back"));
    await expect((await renewSilently(silence)).renewed).rejects.toMatchObject({ kind: "refused" });
    const { renewed } = await renewSilently(() => {
      setAnswers({});
      return silence();
    });
    await expect(renewed).rejects.toMatchObject({ kind: "unreachable" });
  });
});
