import { expect, it } from "vitest";

import { renew } from "./renewal";
import { openSilent } from "./silent";
import { FakeBrowser, settle, type FakeTab } from "./testing/fake-browser";
import { FakeIssuer, LIFE } from "./testing/fake-provider";
import { openTabs, type Broadcast } from "./tabs";
import { openKeyring, type TokenSet } from "./tokens";

const NAME = "console:1";

/** A browser with signed-in tabs, each with its own tokens, and a provider that revokes all if a token is reused. */
function setUp() {
  const browser = new FakeBrowser();
  const issuer = new FakeIssuer(() => browser.now);
  const open = (tokens: TokenSet, tab: FakeTab = browser.tab("https://console.example/")) => {
    const keyring = openKeyring(tab.storage, "tokens");
    keyring.set(tokens);
    const heard: Broadcast[] = [];
    const tabs = openTabs({
      name: NAME,
      surroundings: tab,
      current: keyring.get,
      onBroadcast: (news) => heard.push(news),
    });
    tabs.join();
    const provider = async () => issuer.provider;
    const silent = openSilent({ name: NAME, provider, surroundings: tab });
    const parts = { name: NAME, keyring, tabs, provider, silent, surroundings: tab };
    return { tab, keyring, heard, tabs, renew: () => renew(parts) };
  };
  return { browser, issuer, open };
}

it("uses a refresh token once, however many tabs hold it and want to renew", async () => {
  const { browser, issuer, open } = setUp();
  const shared = issuer.issue();
  const tabs = [open(shared), open(shared), open(shared), open(shared), open(shared)];
  browser.advance(LIFE * 1000);
  const renewed = await Promise.all(tabs.map((tab) => tab.renew()));
  expect(issuer.used).toEqual([shared.refreshToken]);
  expect(new Set(renewed.map(({ accessToken }) => accessToken)).size).toBe(1);
  expect(tabs[4]?.keyring.get()).toEqual(renewed[0]);
});

it("adopts a token set that another tab renewed, even if its broadcast was missed", async () => {
  const { browser, issuer, open } = setUp();
  const shared = issuer.issue();
  const asleep = open(shared);
  const awake = open(shared);
  browser.advance(LIFE * 1000);
  asleep.tab.frozen = true;
  const pending = awake.renew();
  await settle();
  // The sleeping tab does not respond: the other tab continues without it after 200 ms.
  browser.advance(200);
  const renewed = await pending;
  asleep.tab.frozen = false;
  expect(asleep.heard).toEqual([]);
  expect(await asleep.renew()).toEqual(renewed);
  expect(issuer.used).toEqual([shared.refreshToken]);
});

it("announces a renewal to every other tab", async () => {
  const { issuer, open } = setUp();
  const shared = issuer.issue();
  const [one, other] = [open(shared), open(shared)];
  const renewed = await one.renew();
  await settle();
  expect(other.heard).toEqual([{ kind: "tokens", tokens: renewed }]);
});

it("asks the other tabs again after sleep, since their answers are stale", async () => {
  const { browser, issuer, open } = setUp();
  const shared = issuer.issue();
  const sleeper = open(shared);
  const other = open(shared);
  browser.advance(LIFE * 1000);
  other.tab.frozen = true;
  const pending = sleeper.renew();
  await settle();
  // The whole machine wakes much later; meanwhile the other tab has stolen the lock and renewed.
  other.tab.frozen = false;
  const renewed = await issuer.provider.refresh(shared);
  browser.advance(30_000);
  other.keyring.set({ ...renewed, obtainedAt: browser.now - 1, expiresAt: browser.now / 1000 + LIFE });
  expect((await pending).accessToken).toBe(renewed.accessToken);
  expect(issuer.used).toEqual([shared.refreshToken]);
});

it("never adopts another user's tokens", async () => {
  const { browser, issuer, open } = setUp();
  const mine = open(issuer.issue("ada"));
  browser.advance(LIFE * 1000);
  open(issuer.issue("grace"));
  expect((await mine.renew()).subject).toBe("ada");
});

it("tries the refresh tokens of the other tabs before it gives up, each once", async () => {
  const { browser, issuer, open } = setUp();
  const lost = open({ ...issuer.issue(), refreshToken: undefined });
  browser.advance(1000);
  const other = open(issuer.issue());
  browser.advance(LIFE * 1000);
  expect((await lost.renew()).subject).toBe("ada");
  expect(issuer.used).toEqual(["refresh-2"]);
  issuer.endEverything();
  browser.advance(LIFE * 1000);
  await expect(other.renew()).rejects.toMatchObject({ kind: "ended" });
  expect(issuer.used).toEqual(["refresh-2", "refresh-3", "refresh-2"]);
});

it("does not end the session while the provider is unreachable", async () => {
  const { issuer, open } = setUp();
  const tab = open(issuer.issue());
  issuer.reachable = false;
  await expect(tab.renew()).rejects.toMatchObject({ kind: "unreachable" });
  issuer.reachable = true;
  expect((await tab.renew()).accessToken).toBe("access-2");
});
