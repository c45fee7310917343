import { describe, expect, it, vi } from "vitest";

import { settle } from "./testing/fake-browser";
import { LIFE } from "./testing/fake-provider";
import { setUp } from "./testing/signed-in-tabs";

describe("a token", () => {
  it("is reused while more than a minute is left, then renewed", async () => {
    const { browser, issuer, open } = setUp();
    const { session, listener } = open(issuer.issue());
    browser.advance((LIFE - 61) * 1000);
    expect(await session.token()).toBe("access-1");
    browser.advance(2000);
    expect(await session.token()).toBe("access-2");
    expect(session.person.expiresAt).toBe(browser.now / 1000 + LIFE);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("with a short lifetime is renewed when a third of it is left", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue("ada", 15));
    browser.advance(9_900);
    expect(await session.token()).toBe("access-1");
    browser.advance(200);
    expect(await session.token()).toBe("access-2");
  });

  it("is renewed once for all requests that were refused with it", async () => {
    const { issuer, open } = setUp();
    const { session } = open(issuer.issue());
    const tokens = await Promise.all([1, 2, 3].map(() => session.token({ refused: "access-1" })));
    expect(tokens).toEqual(["access-2", "access-2", "access-2"]);
    expect(await session.token({ refused: "access-1" })).toBe("access-2");
    expect(issuer.used).toEqual(["refresh-1"]);
  });

  it("is used until it expires while the provider is unreachable", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue());
    issuer.reachable = false;
    browser.advance((LIFE - 10) * 1000);
    expect(await session.token()).toBe("access-1");
    browser.advance(11_000);
    await expect(session.token()).rejects.toMatchObject({ kind: "unreachable" });
    expect(session.state).toBe("active");
  });

  it("whose renewal got no answer is asked for again before the issuer ends the session over it", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue());
    browser.advance((LIFE - 30) * 1000);
    issuer.losesAnswer = true;
    expect(await session.token()).toBe("access-1");
    browser.advance(1_000);
    await settle();
    browser.advance(20_000);
    expect(await session.token()).toBe("access-2");
    expect([session.state, issuer.used]).toEqual(["active", ["refresh-1", "refresh-1"]]);
  });

  it("is retried three times in ten seconds if it cannot be renewed, then on demand", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue());
    const refresh = vi.spyOn(issuer.provider, "refresh");
    issuer.reachable = false;
    browser.advance((LIFE - 50) * 1000);
    await session.token();
    for (let second = 0; second < 20; second++) {
      browser.advance(1_000);
      // oxlint-disable-next-line no-await-in-loop -- the clock goes on
      await settle();
    }
    expect(refresh).toHaveBeenCalledTimes(4);
  });

  it("without refresh tokens is used until the session ends with it", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open({ ...issuer.issue(), refreshToken: undefined });
    browser.advance((LIFE - 10) * 1000);
    expect(await session.token()).toBe("access-1");
    browser.advance(11_000);
    await expect(session.token()).rejects.toMatchObject({ kind: "ended" });
    expect(session.state).toBe("ended");
  });

  it("without a known end is used until it is refused", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open({ ...issuer.issue(), expiresAt: undefined });
    browser.advance(30 * 24 * 3600_000);
    expect(await session.token()).toBe("access-1");
    expect(session.person.expiresAt).toBe(Infinity);
    expect(await session.token({ refused: "access-1" })).toBe("access-2");
  });
});

describe("an ended session", () => {
  it("notifies once, keeps no token, and stops renewing", async () => {
    const { browser, issuer, open } = setUp();
    const { session, listener, keyring } = open(issuer.issue());
    issuer.endEverything();
    browser.advance(LIFE * 1000);
    const asked = await Promise.allSettled([1, 2, 3].map(() => session.token()));
    expect(asked.every(({ status }) => status === "rejected")).toBe(true);
    await expect(session.token()).rejects.toMatchObject({ kind: "ended" });
    session.end();
    expect([session.state, session.ending]).toEqual(["ended", "expired"]);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(issuer.used).toHaveLength(1);
    expect(keyring.get()).toBeUndefined();
  });

  it("resumes when the user signs in again in another tab", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue());
    const { session: other } = open(issuer.issue());
    session.end();
    browser.advance(1000);
    await other.token({ refused: "access-2" });
    await settle();
    expect(session.state).toBe("active");
    expect(await session.token()).toBe(await other.token());
  });

  it("signs in again at the same place", async () => {
    const { issuer, open } = setUp();
    const { session, tab } = open(issuer.issue());
    session.end();
    await session.signInAgain();
    expect(tab.went).toEqual([
      `https://id.example/auth?back=${encodeURIComponent("/identities?order=name")}`,
    ]);
  });
});

it("stays where it is when the provider cannot be reached to sign in again", async () => {
  const { issuer, open } = setUp();
  const { session, tab } = open(issuer.issue());
  session.end();
  issuer.reachable = false;
  await expect(session.signInAgain()).rejects.toMatchObject({ kind: "unreachable" });
  expect(tab.went).toEqual([]);
});

describe("signing out", () => {
  it("forgets, revokes, ends the provider's session and that of the other tabs", async () => {
    const { issuer, open } = setUp();
    const one = open(issuer.issue());
    const other = open(issuer.issue());
    const somebodyElse = open(issuer.issue("grace"));
    void one.session.signOut();
    await settle();
    expect(one.tab.went).toEqual(["https://id.example/logout?id_token_hint=id-1"]);
    expect(issuer.revoked).toEqual(["refresh-1"]);
    expect(one.keyring.get()).toBeUndefined();
    expect(one.signedOut).toEqual(["here", "everywhere"]);
    expect([other.session.state, other.session.ending]).toEqual(["ended", "signed-out"]);
    expect(other.signedOut).toEqual(["elsewhere"]);
    expect(other.keyring.get()).toBeUndefined();
    expect(somebodyElse.session.state).toBe("active");
  });

  it.each(["there", "in another tab"])("%s, is not undone by a renewal that is on its way", async (where) => {
    const { browser, issuer, open } = setUp();
    const shared = issuer.issue();
    const [renewing, other] = [open(shared), open(shared)];
    const { refresh } = issuer.provider;
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    issuer.provider.refresh = (tokens) => asked.then(() => refresh(tokens));
    browser.advance(LIFE * 1000);
    const request = renewing.session.token().catch((error: unknown) => error);
    await settle();
    void (where === "there" ? renewing : other).session.signOut();
    await settle();
    answer();
    if (where === "in another tab") expect(await request).toMatchObject({ kind: "ended" });
    await settle();
    expect([renewing.keyring.get(), other.keyring.get()]).toEqual([undefined, undefined]);
    expect(issuer.revoked.at(-1)).toBe("refresh-2");
    if (where === "there") expect(other.session.ending).toBe("signed-out");
    else expect(renewing.session.ending).toBe("signed-out");
  });

  it.each(["without an end-session address", "that cannot be reached"])(
    "works with an issuer %s",
    async (kind) => {
      const { issuer, open } = setUp();
      const { session, tab, signedOut } = open(issuer.issue());
      issuer.endSession = undefined;
      issuer.reachable = kind === "without an end-session address";
      void session.signOut();
      await settle();
      expect(tab.went).toEqual(["https://console.example/"]);
      expect(signedOut).toEqual(["here"]);
    },
  );

  it("ends the session even if the user cancels leaving the page", async () => {
    const { browser, issuer, open } = setUp();
    const { session } = open(issuer.issue());
    void session.signOut();
    await settle();
    expect(session.state).toBe("active");
    const asked = session.token().catch((error: unknown) => error);
    browser.advance(5000);
    await settle();
    expect(session.ending).toBe("signed-out");
    expect(await Promise.race([asked, settle()])).toMatchObject({ kind: "ended" });
  });
});
