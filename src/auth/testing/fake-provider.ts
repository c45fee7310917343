import { AuthError } from "../errors";
import type { Provider } from "../provider";
import type { TokenSet } from "../tokens";

/** Lifetime of a fake access token, in seconds. */
export const LIFE = 600;

/** A provider that rotates refresh tokens and revokes everything if an old one is reused, like a strict real one. */
export class FakeIssuer {
  readonly used: string[] = [];
  readonly revoked: string[] = [];
  reachable = true;
  /** Loses the response to the next refresh, which uses the token; it accepts that token again for ten seconds. */
  losesAnswer = false;
  endSession: string | undefined = "https://id.example/logout";
  callback: (() => TokenSet) | undefined;
  #count = 0;
  #alive = new Set<string>();
  #lost = new Map<string, number>();

  constructor(readonly now: () => number) {}

  issue(subject = "ada", life = LIFE): TokenSet {
    const serial = ++this.#count;
    this.#alive.add(`refresh-${serial}`);
    return {
      accessToken: `access-${serial}`,
      refreshToken: `refresh-${serial}`,
      idToken: `id-${serial}`,
      obtainedAt: this.now(),
      expiresAt: this.now() / 1000 + life,
      issuer: "https://id.example",
      subject,
    };
  }

  endEverything(): void {
    this.#alive.clear();
  }

  readonly load = async () => ({ createProvider: () => this.provider });

  readonly provider: Provider = {
    reach: async () => this.#reach(),
    begin: async (returnPath) => {
      this.#reach();
      return `https://id.example/auth?back=${encodeURIComponent(returnPath)}`;
    },
    finish: async () => {
      this.#reach();
      if (!this.callback) throw new AuthError("stale", "This sign-in was finished before.");
      return { tokens: this.callback(), returnPath: "/groups?order=name" };
    },
    refresh: async (tokens) => {
      this.#reach();
      const { refreshToken = "" } = tokens;
      this.used.push(refreshToken);
      const tolerated = this.now() - (this.#lost.get(refreshToken) ?? -Infinity) < 10_000;
      if (!this.#alive.delete(refreshToken) && !tolerated) {
        this.#alive.clear();
        throw new AuthError("refused", "no", { code: "invalid_grant" });
      }
      if (this.losesAnswer) {
        this.losesAnswer = false;
        this.#lost.set(refreshToken, this.now());
        throw new AuthError("unreachable", "The answer was lost.");
      }
      return this.issue(tokens.subject);
    },
    renewSilently: async (tokens, visit) => {
      this.#reach();
      const answer = await visit(`https://id.example/auth?prompt=none&id_token_hint=${tokens.idToken}`);
      if (answer.includes("error=")) throw new AuthError("refused", "no", { code: "login_required" });
      return { ...this.issue(tokens.subject), refreshToken: undefined };
    },
    revoke: async ({ refreshToken = "" }) => void this.revoked.push(refreshToken),
    signOutAddress: async (tokens) => {
      this.#reach();
      return this.endSession && `${this.endSession}?id_token_hint=${tokens?.idToken}`;
    },
  };

  #reach(): void {
    if (!this.reachable) throw new AuthError("unreachable", "The sign-in service does not answer.");
  }
}
