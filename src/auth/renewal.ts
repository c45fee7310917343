import { AuthError } from "./errors";
import { exclusively, LOCK_TIMEOUT_MS } from "./lock";
import type { Provider } from "./provider";
import type { Silent } from "./silent";
import type { Surroundings } from "./surroundings";
import type { Tabs } from "./tabs";
import { byAge, isFresh, samePerson, type Keyring, type TokenSet } from "./tokens";

/** Milliseconds after which another tab's response is stale, because this tab slept. */
const SLEEP_THRESHOLD_MS = 1000;
/** Milliseconds to wait for the lock if a hidden frame may hold it: longer than a frame waits for its response. */
const FRAME_LOCK_TIMEOUT_MS = 15_000;

const none = (): void => undefined;

/**
 * Renews the token set of this tab, so that exactly one of all tabs uses a refresh token (using a rotated one twice
 * revokes the whole grant). Under a Web Lock: asks the other tabs and adopts a newer set, else renews and announces
 * it, with a refresh token, or in a hidden frame if the issuer issues none.
 * Throws an AuthError: `ended` if neither is accepted, `unreachable` if that is unknown.
 */
export async function renew(options: {
  readonly name: string;
  readonly keyring: Keyring;
  readonly tabs: Tabs;
  readonly provider: () => Promise<Provider>;
  readonly silent: Silent;
  readonly surroundings: Pick<Surroundings, "locks" | "now">;
}): Promise<TokenSet> {
  const { keyring, tabs, provider, silent } = options;
  const { locks, now } = options.surroundings;
  const before = keyring.get();
  const ended = () => new AuthError("ended", "The session has ended.");
  const give = (renewed: TokenSet): TokenSet => {
    if (!keyring.get()) {
      // Signed out while the request was in flight: its tokens must not sign anyone in again.
      void provider()
        .then((known) => known.revoke(renewed), none)
        .catch(none);
      throw ended();
    }
    keyring.set(renewed);
    tabs.announce({ kind: "tokens", tokens: renewed });
    return renewed;
  };
  const work = async (): Promise<TokenSet> => {
    const own = keyring.get();
    if (!own || !before) throw ended();
    // Another tab renewed while this one waited for the lock.
    if (own.accessToken !== before.accessToken && isFresh(own, now())) return own;

    let asked: number;
    let others: TokenSet[];
    do {
      asked = now();
      others = (await tabs.ask()).filter((other) => samePerson(other, own));
    } while (now() - asked > SLEEP_THRESHOLD_MS);

    if (!keyring.get()) throw ended();
    const newer = others.find((other) => other.obtainedAt > own.obtainedAt && isFresh(other, now()));
    if (newer) {
      keyring.set(newer);
      return newer;
    }
    const tried = new Set<string>();
    for (const candidate of [...others, own].toSorted(byAge)) {
      if (!candidate.refreshToken || tried.has(candidate.refreshToken)) continue;
      tried.add(candidate.refreshToken);
      try {
        return give(await (await provider()).refresh(candidate));
      } catch (error) {
        if (!(error instanceof AuthError) || error.kind === "unreachable") throw error;
      }
    }
    if (tried.size === 0 && silent.possible()) return give(await silent.renew(own));
    throw ended();
  };
  return exclusively(locks, `${options.name}:renewal`, work, {
    now,
    timeoutMs: before?.refreshToken ? LOCK_TIMEOUT_MS : FRAME_LOCK_TIMEOUT_MS,
  });
}
