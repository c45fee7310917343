import { pathOfAddress } from "./addresses";
import { AuthError } from "./errors";
import type { Provider } from "./provider";
import { renew } from "./renewal";
import type { Silent } from "./silent";
import type { Surroundings } from "./surroundings";
import type { Broadcast, Tabs } from "./tabs";
import { isFresh, samePerson, secondsLeft, type Keyring, type TokenSet } from "./tokens";
import { watchEnd } from "./watch-end";

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly name?: string;
  /** When the access token expires, in seconds since 1970; Infinity if the issuer does not say. */
  readonly expiresAt: number;
}

/** Identifies the user, as a key for data stored in this browser. */
export const ownerOf = ({ issuer, subject }: Pick<Person, "issuer" | "subject">): string =>
  JSON.stringify([issuer, subject]);

/** The session of a signed-in tab. Calls listeners once for every change of `state` and `person`. */
export interface Session {
  readonly person: Person;
  /** "ended": no request is possible; the screen stays, and `signInAgain` returns to it. */
  readonly state: "active" | "ended";
  /** Why it ended: `expired`, also if the service rejects its tokens; `signed-out` in another tab. */
  readonly ending: "expired" | "signed-out" | undefined;
  /**
   * When it ends, in seconds since 1970; set only near the end, if the user must sign in again to stay.
   * Undefined for a session that renews itself.
   */
  readonly endsAt: number | undefined;
  /** How its token is renewed before it ends; "none": the user must sign in again. */
  readonly renewal: "refresh token" | "hidden frame" | "none";
  /**
   * Returns a valid access token; renews it first if it is about to expire. `refused` is a token that the service
   * rejected: one renewal replaces it, however many requests were refused.
   * Throws an AuthError: `ended` or `unreachable`.
   */
  token(options?: { readonly refused?: string }): Promise<string>;
  /** Ends the session in all tabs and, if supported, at the provider; leaves the page. */
  signOut(): Promise<void>;
  /**
   * Leaves the page for the provider, to come back to the current URL; with "login" the user can also switch accounts.
   * Throws an AuthError (`unreachable`).
   */
  signInAgain(prompt?: "login"): Promise<void>;
  /** Called when the service rejects every token of this session: the session has ended. */
  end(): void;
  subscribe(listener: () => void): () => void;
}

/** Stored in sessionStorage, so that a reload does not sign the user in again automatically. */
export type SignedOut = "everywhere" | "here" | "elsewhere";

export interface SessionParts {
  readonly name: string;
  readonly keyring: Keyring;
  readonly tabs: Tabs;
  readonly provider: () => Promise<Provider>;
  readonly silent: Silent;
  readonly surroundings: Surroundings;
  readonly rememberSignedOut: (how: SignedOut | undefined) => void;
}

/** Milliseconds that signing out waits for a revocation; the session ends whether or not it completes. */
const REVOCATION_TIMEOUT_MS = 1500;
/** Milliseconds after which the user has evidently stayed on the page. */
const STAYED_MS = 5000;
/** Milliseconds before each retry of a renewal that got no response; less than ten seconds in total. */
const AGAIN = [1000, 3000, 4000];

const personOf = ({ issuer, subject, email, name, expiresAt = Infinity }: TokenSet): Person => ({
  issuer,
  subject,
  expiresAt,
  ...(email !== undefined && { email }),
  ...(name !== undefined && { name }),
});

/** Creates a session for the token set in the keyring, which must hold one. */
export function createSession(parts: SessionParts): Session & { onBroadcast(news: Broadcast): void } {
  const { keyring, tabs, provider, surroundings, rememberSignedOut } = parts;
  const listeners = new Set<() => void>();
  const held = keyring.get();
  if (!held) throw new Error("A session needs a token set");
  let tokens = held;
  let person = personOf(tokens);
  let ending: Session["ending"];
  let endsAt: number | undefined;
  /** Settles if the user stays on the page after all. */
  let leaving: Promise<void> | undefined;
  let renewal: Promise<TokenSet> | undefined;
  let insisted: TokenSet | undefined;

  const changed = (): void => listeners.forEach((listener) => listener());

  const take = (next: TokenSet): void => {
    if (next.accessToken === tokens.accessToken && !ending) return;
    tokens = next;
    person = personOf(next);
    ending = undefined;
    endsAt = undefined;
    tabs.join();
    watch();
    changed();
  };

  const finish = (why: "expired" | "signed-out"): void => {
    if (ending || leaving) return;
    ending = why;
    endsAt = undefined;
    keyring.forget();
    tabs.leave();
    changed();
  };

  /** True if the token is still valid although nothing renews it: an issuer without refresh tokens. */
  const serves = (refused?: string): boolean =>
    !tokens.refreshToken && refused !== tokens.accessToken && secondsLeft(tokens, surroundings.now()) > 0;

  const renewed = async (refused?: string): Promise<TokenSet> => {
    const asked = tokens;
    // All waiting requests share one renewal.
    renewal ??= renew(parts).finally(() => (renewal = undefined));
    try {
      const next = await renewal;
      take(next);
      return next;
    } catch (error) {
      // Meanwhile the user signed in again in another tab.
      if (tokens !== asked && !ending) return tokens;
      if (error instanceof AuthError && error.kind === "ended" && !serves(refused)) finish("expired");
      // The refresh token may have been used: issuers accept it again for a few seconds, then end the session.
      if (error instanceof AuthError && error.kind === "unreachable" && asked.refreshToken) void insist();
      throw error;
    }
  };

  /** Retries a failed renewal, one series of retries per token set. */
  const insist = async (): Promise<void> => {
    if (insisted === tokens) return;
    const asked = (insisted = tokens);
    for (const pause of AGAIN) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await surroundings.wait(pause);
      if (tokens !== asked || ending || leaving) return;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await renewAhead();
    }
  };

  /** Renews in the background; a caller that needs the token will see the failure itself. */
  const renewAhead = (): Promise<unknown> => renewed().catch(() => undefined);

  const watch = (): void => {
    const watched = tokens;
    const held = () => tokens === watched && !ending && !leaving;
    const tryOnce = async (then: number | undefined) => {
      await renewAhead();
      if (!held()) return;
      endsAt = then;
      changed();
    };
    void watchEnd(watched, surroundings, {
      held,
      near: () => void tryOnce(watched.expiresAt),
      over: () => void tryOnce(undefined),
    });
  };

  tabs.join();
  watch();

  return {
    get person() {
      return person;
    },
    get state() {
      return ending ? "ended" : "active";
    },
    get ending() {
      return ending;
    },
    get endsAt() {
      return endsAt;
    },
    get renewal() {
      return tokens.refreshToken ? "refresh token" : parts.silent.possible() ? "hidden frame" : "none";
    },
    async token({ refused } = {}) {
      // The page is about to unload, so requests stay pending; if it does not, they fail.
      if (leaving) await leaving;
      if (ending) throw new AuthError("ended", "The session has ended.");
      const anew = refused === tokens.accessToken;
      if (!anew && isFresh(tokens, surroundings.now())) return tokens.accessToken;
      if (serves(refused)) {
        void renewAhead();
        return tokens.accessToken;
      }
      const spare = !anew && secondsLeft(tokens, surroundings.now()) > 0 ? tokens.accessToken : undefined;
      try {
        return (await renewed(refused)).accessToken;
      } catch (error) {
        if (spare !== undefined && error instanceof AuthError && error.kind !== "ended") return spare;
        throw error;
      }
    },
    async signOut() {
      const { issuer, subject } = tokens;
      const last = tokens;
      let stayed: () => void = () => undefined;
      leaving = new Promise((resolve) => (stayed = resolve));
      tabs.announce({ kind: "signed-out", issuer, subject });
      tabs.leave();
      keyring.forget();
      rememberSignedOut("here");
      let address: string | undefined;
      try {
        const known = await provider();
        await Promise.race([
          known.revoke(last).catch(() => undefined),
          surroundings.wait(REVOCATION_TIMEOUT_MS),
        ]);
        address = await known.signOutAddress(last);
      } catch {
        // The provider cannot be reached: signed out only here, and the page says so.
      }
      if (address !== undefined) rememberSignedOut("everywhere");
      surroundings.go(address ?? surroundings.base);
      // Still here: the user chose to stay with unsaved changes.
      await surroundings.wait(STAYED_MS);
      leaving = undefined;
      finish("signed-out");
      stayed();
    },
    async signInAgain(prompt) {
      const known = await provider();
      // The provider's endpoints are cached; without this check the browser would show its own error page.
      await known.reach();
      surroundings.go(await known.begin(pathOfAddress(surroundings.href()), prompt));
    },
    end: () => finish("expired"),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onBroadcast(news) {
      if (leaving) return;
      if (news.kind === "signed-out") {
        if (news.issuer !== tokens.issuer || news.subject !== tokens.subject) return;
        rememberSignedOut("elsewhere");
        finish("signed-out");
      } else if (samePerson(news.tokens, tokens) && news.tokens.obtainedAt > tokens.obtainedAt) {
        keyring.set(news.tokens);
        rememberSignedOut(undefined);
        take(news.tokens);
      }
    },
  };
}
