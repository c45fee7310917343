import { expect, it } from "vitest";

import { openTabs } from "./tabs";
import { FakeBrowser, settle, type FakeTab } from "./testing/fake-browser";
import type { TokenSet } from "./tokens";

const tokens: TokenSet = {
  accessToken: "access-1",
  refreshToken: undefined,
  idToken: undefined,
  scope: undefined,
  obtainedAt: 1,
  expiresAt: undefined,
  issuer: "https://id.example",
  subject: "ada",
  email: undefined,
  name: undefined,
};

const join = (tab: FakeTab, current?: TokenSet) => {
  const tabs = openTabs({
    name: "c",
    surroundings: tab,
    current: () => current,
    onBroadcast: () => undefined,
  });
  if (current) tabs.join();
  return tabs;
};

/** A tab that holds tokens and is too busy to receive messages, and a pending request from a new tab. */
async function setUp(timeoutMs?: number) {
  const browser = new FakeBrowser();
  const busy = browser.tab("https://console.example/");
  busy.busy = [];
  join(busy, tokens);
  const fresh = join(browser.tab("https://console.example/"));
  await settle();
  let found: readonly string[] | undefined;
  void fresh.ask(timeoutMs).then((sets) => (found = sets.map(({ accessToken }) => accessToken)));
  await settle();
  return {
    pass: async (milliseconds: number) => (browser.advance(milliseconds), await settle(), found),
    deliver: async () => {
      for (const deliver of busy.busy?.splice(0) ?? []) deliver();
      await settle();
      return found;
    },
  };
}

it("continues after 200 ms without a tab that does not respond", async () => {
  const { pass } = await setUp();
  expect(await pass(199)).toBeUndefined();
  expect(await pass(1)).toEqual([]);
});

it("waits up to the given timeout for the first response", async () => {
  const late = await setUp(1_000);
  expect(await late.pass(700)).toBeUndefined();
  expect(await late.deliver()).toEqual(["access-1"]);

  const never = await setUp(1_000);
  expect(await never.pass(200)).toBeUndefined();
  expect(await never.pass(799)).toBeUndefined();
  expect(await never.pass(1)).toEqual([]);
});
