import { vi } from "vitest";

import { createSession, type SignedOut } from "../session";
import { openSilent } from "../silent";
import { openTabs, type Broadcast } from "../tabs";
import { openKeyring, type TokenSet } from "../tokens";
import { FakeBrowser } from "./fake-browser";
import { FakeIssuer } from "./fake-provider";

/** One browser and one issuer; `open` opens a tab that is signed in with the given tokens. */
export function setUp() {
  const browser = new FakeBrowser();
  const issuer = new FakeIssuer(() => browser.now);
  const open = (tokens: TokenSet) => {
    const tab = browser.tab("https://console.example/identities?order=name");
    const keyring = openKeyring(tab.storage, "tokens");
    keyring.set(tokens);
    const signedOut: (SignedOut | undefined)[] = [];
    const tabs = openTabs({
      name: "console:1",
      surroundings: tab,
      current: keyring.get,
      onBroadcast: (news: Broadcast) => session.onBroadcast(news),
    });
    const provider = async () => issuer.provider;
    const rememberSignedOut = (how: SignedOut | undefined) => void signedOut.push(how);
    const session = createSession({
      name: "console:1",
      keyring,
      tabs,
      provider,
      silent: openSilent({ name: "console:1", provider, surroundings: tab }),
      surroundings: tab,
      rememberSignedOut,
    });
    const listener = vi.fn();
    session.subscribe(listener);
    return { tab, keyring, session, listener, signedOut };
  };
  return { browser, issuer, open };
}
