import { expect, it } from "vitest";

import { AuthError } from "./errors";
import { openSession, type OpenedSession } from "./open";
import { FakeBrowser, FakeStorage, settle, type FakeTab } from "./testing/fake-browser";
import { FakeIssuer, LIFE } from "./testing/fake-provider";

const base = "https://console.example/";
const config = {
  baseUrl: base,
  oidc: { authority: "https://id.example", clientId: "console", scope: "openid", extraParams: {} },
};
const callback = `${base}?code=c&state=s`;

function setUp() {
  const browser = new FakeBrowser();
  const issuer = new FakeIssuer(() => browser.now);
  const open = (tab: FakeTab): Promise<OpenedSession> => openSession(config, tab, issuer.load);
  /** A tab that has just returned from the provider. */
  const signIn = async () => {
    issuer.callback = () => issuer.issue();
    const tab = browser.tab(callback);
    const opened = await open(tab);
    issuer.callback = undefined;
    return { tab, session: sessionOf(opened) };
  };
  return { browser, issuer, open, signIn };
}

function sessionOf(opened: OpenedSession) {
  if (opened.state !== "signed-in") throw new Error(`not signed in: ${JSON.stringify(opened)}`);
  return opened.session;
}

const failureOf = (opened: OpenedSession) => (opened.state === "failed" ? opened.message : opened.state);

it("sends a first visit to the provider, with its path and query to come back to", async () => {
  const { browser, open } = setUp();
  const tab = browser.tab(`${base}identities?order=name+desc#x`);
  expect(await open(tab)).toEqual({ state: "redirecting" });
  expect(tab.went).toEqual([
    `https://id.example/auth?back=${encodeURIComponent("/identities?order=name+desc#x")}`,
  ]);
});

it("exchanges the code once, returns to the page, and keeps tokens only in sessionStorage", async () => {
  const { tab, session } = await setUp().signIn();
  expect(tab.href()).toBe(`${base}groups?order=name`);
  expect(session.person).toMatchObject({ issuer: "https://id.example", subject: "ada" });
  expect(tab.storage.entries().filter(([, value]) => value.includes("access-1"))).toHaveLength(1);
});

it("takes the code out of the address before it is used", async () => {
  const { browser, issuer, open } = setUp();
  const tab = browser.tab(callback);
  let shown = "";
  issuer.callback = () => {
    shown = tab.href();
    return issuer.issue();
  };
  await open(tab);
  expect(shown).toBe(base);
});

it("survives a reload without asking anybody", async () => {
  const { browser, issuer, open, signIn } = setUp();
  const { tab } = await signIn();
  issuer.reachable = false;
  const reloaded = browser.tab(`${base}groups`, { storage: tab.storage });
  expect(await sessionOf(await open(reloaded)).token()).toBe("access-1");
});

it("adopts the session of another tab without a redirect", async () => {
  const { browser, open, signIn } = setUp();
  await signIn();
  const tab = browser.tab(`${base}groups`);
  expect(await sessionOf(await open(tab)).token()).toBe("access-1");
  expect(tab.went).toEqual([]);
});

it("redirects to the provider if this tab's tokens can't be renewed", async () => {
  const { browser, issuer, open, signIn } = setUp();
  const { tab } = await signIn();
  browser.advance(LIFE * 1000);
  issuer.endEverything();
  const fresh = new FakeBrowser();
  fresh.now = browser.now;
  const restored = fresh.tab(`${base}groups`, { storage: tab.storage });
  expect(await open(restored)).toEqual({ state: "redirecting" });
});

it("goes to the provider without trying a hidden frame when an issuer without refresh tokens has let it expire", async () => {
  const { browser, issuer, open } = setUp();
  issuer.callback = () => ({ ...issuer.issue(), refreshToken: undefined });
  const tab = browser.tab(callback);
  await open(tab);
  browser.advance(LIFE * 1000);
  const later = new FakeBrowser();
  later.now = browser.now;
  const restored = later.tab(`${base}groups`, { storage: tab.storage });
  expect(await open(restored)).toEqual({ state: "redirecting" });
  expect(restored.visited).toEqual([]);
});

it("says that the provider does not answer, and tries again when told to", async () => {
  const { browser, issuer, open } = setUp();
  issuer.reachable = false;
  const tab = browser.tab(`${base}groups`);
  const opened = await open(tab);
  expect(failureOf(opened)).toBe("The sign-in service does not answer.");
  expect(opened).toMatchObject({ action: { label: "Try again" } });
  issuer.reachable = true;
  expect(opened.state === "failed" && (await opened.action.run())).toEqual({ state: "redirecting" });
  expect(tab.went).toHaveLength(1);
});

it("restarts at most three times when the response to its code is lost", async () => {
  const { browser, issuer, open } = setUp();
  issuer.callback = () => {
    throw new AuthError("unreachable", "The answer was lost.", { returnPath: "/identities" });
  };
  const storage = new FakeStorage();
  for (let round = 0; round < 3; round++) {
    const tab = browser.tab(callback, { storage });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await open(tab)).toEqual({ state: "redirecting" });
    expect(tab.went).toEqual(["https://id.example/auth?back=%2Fidentities"]);
  }
  expect(failureOf(await open(browser.tab(callback, { storage })))).toBe("The answer was lost.");
});

it("does not redirect to a provider that stopped responding", async () => {
  const { browser, issuer, open } = setUp();
  issuer.callback = () => {
    issuer.reachable = false;
    throw new AuthError("unreachable", "The answer was lost.");
  };
  const tab = browser.tab(callback);
  expect(failureOf(await open(tab))).toBe("The answer was lost.");
  expect(tab.went).toEqual([]);
});

it("shows why the provider refused, and keeps the return path for the next attempt", async () => {
  const { browser, issuer, open } = setUp();
  issuer.callback = () => {
    throw new AuthError("refused", "Sign-in was canceled or denied.", {
      code: "access_denied",
      detail: "End-User aborted interaction",
      returnPath: "/identities",
    });
  };
  const tab = browser.tab(`${base}?error=access_denied&state=s`);
  const opened = await open(tab);
  expect(opened).toMatchObject({
    state: "failed",
    message: "Sign-in was canceled or denied.",
    detail: "access_denied: End-User aborted interaction",
    action: { label: "Sign in" },
  });
  expect(tab.went).toEqual([]);
  if (opened.state === "failed") await opened.action.run();
  expect(tab.went).toEqual(["https://id.example/auth?back=%2Fidentities"]);
});

it("shows a message for a replayed callback instead of redirecting", async () => {
  const { browser, open } = setUp();
  const tab = browser.tab(callback);
  const opened = await open(tab);
  expect(failureOf(opened)).toBe("This sign-in was finished before.");
  expect(tab.went).toEqual([]);
  expect(tab.href()).toBe(base);
});

it("ignores a replayed callback in a tab that is signed in", async () => {
  const { browser, open, signIn } = setUp();
  const { tab } = await signIn();
  const again = browser.tab(callback, { storage: tab.storage });
  expect((await open(again)).state).toBe("signed-in");
  expect(again.href()).toBe(base);
});

it("stops after three redirects without a session", async () => {
  const { browser, open } = setUp();
  const storage = new FakeStorage();
  const visit = () => open(browser.tab(base, { storage }));
  for (let round = 0; round < 3; round++) expect((await visit()).state).toBe("redirecting");
  const stopped = await visit();
  expect(failureOf(stopped)).toMatch(/keeps sending you back/);
  expect(stopped.state === "failed" && (await stopped.action.run()).state).toBe("redirecting");
  browser.advance(61_000);
  expect((await visit()).state).toBe("redirecting");
});

it("does not sign in by itself after signing out, in any tab", async () => {
  const { browser, open, signIn } = setUp();
  const { tab, session } = await signIn();
  const second = browser.tab(`${base}groups`);
  await open(second);
  void session.signOut();
  await settle();
  for (const [storage, message] of [
    [tab.storage, /here and at the sign-in service/],
    [second.storage, /in another tab/],
  ] as const) {
    const back = browser.tab(`${base}groups`, { storage });
    const opened = await open(back);
    expect(opened).toMatchObject({ state: "signed-out", message: expect.stringMatching(message) });
    expect(back.went).toEqual([]);
    if (opened.state === "signed-out") await opened.action.run();
    expect(back.went).toEqual(["https://id.example/auth?back=%2Fgroups"]);
  }
});
