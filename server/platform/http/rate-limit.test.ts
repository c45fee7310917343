import { describe, expect, test } from "vitest";

import { RETRY_INFO } from "platform-contract/status";

import { Failure, unauthenticated } from "../../status";
import { callerWith, send, startApp } from "../../testing/app";
import type { AppOptions } from "./app";
import { createRateLimit } from "./rate-limit";

/** A limit with a clock that only `forward` moves; `takes` returns true if a request passed. */
function limitOf(rate: number) {
  let time = 0;
  const { take: limit } = createRateLimit(rate, () => time);
  return {
    takes(caller: string): boolean {
      try {
        limit(caller);
        return true;
      } catch {
        return false;
      }
    },
    forward: (seconds: number) => void (time += seconds * 1000),
  };
}

describe("a bucket", () => {
  test("holds ten seconds' worth, fills at the rate, and never runs over", () => {
    const { takes, forward } = limitOf(2);
    const burst = () => Array.from({ length: 30 }, () => takes("somebody")).filter(Boolean).length;
    expect(burst()).toBe(20);
    forward(3);
    expect(burst()).toBe(6);
    forward(3600);
    expect(burst()).toBe(20);
  });

  test("is each caller's own", () => {
    const { takes } = limitOf(0.1);
    expect([takes("one"), takes("one"), takes("other")]).toEqual([true, false, true]);
  });

  test("lets in who waits as long as they were told, however often they tried in between", () => {
    const { takes, forward } = limitOf(0.1);
    takes("somebody");
    for (let second = 1; second < 10; second += 1) {
      forward(1);
      expect(takes("somebody")).toBe(false);
    }
    forward(1);
    expect(takes("somebody")).toBe(true);
  });

  test("is forgotten when ten thousand others came since, so that memory has a bound", () => {
    const { takes } = limitOf(0.1);
    takes("first");
    takes("second");
    for (let index = 0; index < 9_998; index += 1) takes(`other ${index}`);
    expect(takes("second")).toBe(false);
    takes("one too many");
    expect(takes("second")).toBe(false);
    expect(takes("first")).toBe(true);
  });
});

describe("the API", () => {
  const signedIn = { authorization: "Bearer good" };
  const burst = (url: string, headers: Readonly<Record<string, string>>) =>
    send(`${url}/ping/v2/ping`, { headers });

  test("answers 429 with how long to wait, in header and details, across origins too", async () => {
    const app = await startApp({
      environment: { RATE_LIMIT: "0.2", CONSOLE_URLS: "https://other.example/" },
      caller: callerWith([], []),
    });
    const headers = { ...signedIn, origin: "https://other.example" };
    const statuses = [];
    for (let count = 0; count < 2; count += 1) statuses.push((await burst(app.url, headers)).status);
    expect(statuses).toEqual([200, 200]);
    const from = performance.now();
    const refused = await burst(app.url, headers);
    // Held back: a client that does not wait gets one refusal a second on each of its connections.
    expect(performance.now() - from).toBeGreaterThan(950);
    // Other callers do not have to wait, and neither do the pages.
    const stranger = await burst(app.url, {});
    const page = await send(`${app.url}/config.json`);
    await app.stop();
    expect([refused.status, refused.json.code]).toEqual([429, 8]);
    const info = refused.json.details?.find((detail) => detail["@type"] === RETRY_INFO);
    const [, seconds = ""] = /^(\d(?:\.\d{1,3})?)s$/.exec(String(info?.["retryDelay"])) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(5);
    expect(refused.headers["retry-after"]).toBe(String(Math.ceil(Number(seconds))));
    expect(refused.headers["access-control-allow-origin"]).toBe("https://other.example");
    expect([stranger.status, page.status]).toEqual([401, 200]);
  });

  test("counts those without a valid token by address, and looks there before it looks at a token", async () => {
    const seen: unknown[] = [];
    const authenticator: AppOptions["authenticator"] = {
      authenticate(bearer) {
        seen.push(bearer);
        return bearer?.startsWith("good")
          ? Promise.resolve(callerWith([], []))
          : Promise.reject(unauthenticated("a bearer token is needed"));
      },
    };
    const environment = { RATE_LIMIT: "0.2", TRUST_PROXY: "1" };
    const app = await startApp({ environment, app: { authenticator } });
    const from = async (address: string, token?: string) =>
      (
        await burst(app.url, {
          "x-forwarded-for": address,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        })
      ).status;
    const statuses = [
      await from("192.0.2.1", "good"),
      await from("192.0.2.1"),
      await from("192.0.2.1", "guess"),
      // From here on, only tokens that were valid before are verified.
      await from("192.0.2.1", "guess"),
      await from("192.0.2.1", "good-too"),
      await from("192.0.2.1", "good"),
      await from("192.0.2.2", "other"),
    ];
    await app.stop();
    expect(statuses).toEqual([200, 401, 401, 429, 429, 200, 401]);
    expect(seen).toEqual(["good", undefined, "guess", "good", "other"]);
  });

  test("holds no failure of the service against a token that was valid before, and says what is wrong with one", async () => {
    let problem: Error | undefined;
    const authenticator: AppOptions["authenticator"] = {
      authenticate: (bearer) =>
        bearer === "good" && !problem
          ? Promise.resolve(callerWith([], []))
          : Promise.reject(problem ?? unauthenticated("the token is not valid")),
    };
    const app = await startApp({ environment: { RATE_LIMIT: "0.2" }, app: { authenticator } });
    const ask = async (token: string, fails?: Error) => {
      problem = fails;
      return (await burst(app.url, { authorization: `Bearer ${token}` })).status;
    };
    const statuses = [
      await ask("good"),
      await ask("good", new Failure("UNAVAILABLE", "the keys cannot be read")),
      await ask("good", new Failure("RESOURCE_EXHAUSTED", "too many tokens are being verified")),
      await ask("good", new Error("a bug")),
      // The address still has its two attempts.
      await ask("guess"),
      await ask("guess"),
      await ask("guess"),
      await ask("good"),
      await ask("good", unauthenticated("the token has expired")),
      await ask("good"),
    ];
    await app.stop();
    expect(statuses).toEqual([200, 503, 429, 500, 401, 401, 429, 200, 401, 429]);
  });

  test("has no limit unless one is set", async () => {
    const app = await startApp();
    // Twenty in parallel: a caller cannot have many more waiting.
    const answers = [];
    for (let round = 0; round < 3; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => burst(app.url, signedIn)))));
    await app.stop();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
