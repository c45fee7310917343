import { describe, expect, it } from "vitest";

import { settle, type FakeTab } from "./testing/fake-browser";
import { LIFE } from "./testing/fake-provider";
import { setUp } from "./testing/signed-in-tabs";
import type { TokenSet } from "./tokens";

describe("a session of an issuer without refresh tokens", () => {
  const open = (life = LIFE) => {
    const { browser, issuer, open: openTab } = setUp();
    const one = openTab({ ...issuer.issue("ada", life), refreshToken: undefined });
    const renewed: Answer = async () => "https://console.example/?code=c&state=s";
    /** Advances the clock in steps, as timers see it. */
    const pass = async (seconds: number) => {
      for (let gone = 0; gone < seconds; gone++) {
        browser.advance(1000);
        await settle();
      }
    };
    return { browser, issuer, pass, renewed, ...one, another: () => openTab(one.keyring.get() as TokenSet) };
  };
  type Answer = FakeTab["answer"];

  it("is renewed in a hidden frame two minutes before its end, without a notice", async () => {
    const { tab, session, pass, renewed } = open();
    tab.answer = renewed;
    await pass(LIFE - 121);
    expect(tab.visited).toEqual([]);
    await pass(2);
    expect(tab.visited).toEqual(["https://id.example/auth?prompt=none&id_token_hint=id-1"]);
    expect(await session.token()).toBe("access-2");
    expect(session.endsAt).toBeUndefined();
  });

  it("is renewed once for all tabs", async () => {
    const { tab, another, pass, renewed } = open();
    const other = another();
    tab.answer = other.tab.answer = renewed;
    await pass(LIFE - 110);
    expect([...tab.visited, ...other.tab.visited]).toHaveLength(1);
    expect(await other.session.token()).toBe("access-2");
  });

  it.each([
    ["the policy allows no frame", undefined],
    [
      "the provider wants to see the person",
      async () => "https://console.example/?error=login_required&state=s",
    ],
  ])("warns before its end when %s, and tries no second time", async (_why, answer) => {
    const { browser, tab, session, listener, pass } = open();
    tab.answer = answer;
    await pass(LIFE - 119);
    expect(session.endsAt).toBe(browser.now / 1000 + 119);
    expect(listener).toHaveBeenCalledTimes(1);
    // Requests continue until the end, without waiting.
    expect(await session.token()).toBe("access-1");
    await pass(118);
    expect(await session.token()).toBe("access-1");
    expect(session.state).toBe("active");
    await pass(2);
    expect([session.ending, session.endsAt]).toEqual(["expired", undefined]);
    expect(tab.visited).toHaveLength(1);
  });

  it("warns no more when another tab has signed in again", async () => {
    const { issuer, session, another, pass } = open();
    const other = another();
    await pass(LIFE - 119);
    expect([session.endsAt, other.session.endsAt]).toEqual([expect.any(Number), expect.any(Number)]);
    other.session.onBroadcast({ kind: "tokens", tokens: { ...issuer.issue(), refreshToken: undefined } });
    session.onBroadcast({ kind: "tokens", tokens: { ...issuer.issue(), refreshToken: undefined } });
    expect([session.endsAt, other.session.endsAt]).toEqual([undefined, undefined]);
    await pass(130);
    expect(session.state).toBe("active");
  });

  it("does not conclude from an unreachable provider that frames are refused", async () => {
    const { issuer, tab, session, pass, renewed } = open();
    tab.answer = renewed;
    issuer.reachable = false;
    await pass(LIFE - 119);
    expect(session.endsAt).toBeDefined();
    issuer.reachable = true;
    await pass(60);
    expect(await session.token()).toBe("access-1");
    await settle();
    expect(await session.token()).toBe("access-2");
    expect(session.endsAt).toBeUndefined();
  });
});

describe("a machine that slept through the end of the token", () => {
  it("renews once after sleep, however many timers were waiting", async () => {
    const { browser, issuer, open } = setUp();
    const shared = issuer.issue();
    const [one, other] = [open(shared), open(shared)];
    browser.advance(10 * 3600_000);
    const woken = [one, other].flatMap(({ session }) => [session.token(), session.token()]);
    expect(new Set(await Promise.all(woken))).toEqual(new Set(["access-2"]));
    expect(issuer.used).toEqual(["refresh-1"]);
  });

  it("ends once after sleep without a refresh token", async () => {
    const { browser, issuer, open } = setUp();
    const { session, listener } = open({ ...issuer.issue(), refreshToken: undefined });
    browser.advance(10 * 3600_000);
    const woken = await Promise.allSettled([session.token(), session.token()]);
    expect(woken.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await settle();
    expect(session.ending).toBe("expired");
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

it("lives on when somebody signs in again in another tab while its own renewal is refused", async () => {
  const { browser, issuer, open } = setUp();
  const { session } = open(issuer.issue());
  issuer.endEverything();
  browser.advance(LIFE * 1000);
  const asked = session.token();
  session.onBroadcast({ kind: "tokens", tokens: issuer.issue() });
  expect(await asked).toBe("access-2");
  expect(session.state).toBe("active");
});
