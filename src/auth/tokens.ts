export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
  readonly scope?: string | undefined;
  /** Milliseconds since 1970, by this machine's clock; decides which of two sets is newer. */
  readonly obtainedAt: number;
  /** Seconds since 1970; absent if the issuer does not say. */
  readonly expiresAt?: number | undefined;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** Seconds until the access token expires; Infinity if the issuer does not say. */
export const secondsLeft = (tokens: TokenSet, now: number): number =>
  tokens.expiresAt === undefined ? Infinity : tokens.expiresAt - now / 1000;

/** True if a request can still start with this token: more than a minute, or a third of a short lifetime, is left. */
export function isFresh(tokens: TokenSet, now: number): boolean {
  const life = (tokens.expiresAt ?? Infinity) - tokens.obtainedAt / 1000;
  return secondsLeft(tokens, now) > Math.min(60, life / 3);
}

export const samePerson = (one: TokenSet, other: TokenSet): boolean =>
  one.issuer === other.issuer && one.subject === other.subject;

/** Newest first. */
export const byAge = (one: TokenSet, other: TokenSet): number => other.obtainedAt - one.obtainedAt;

/** Validates a token set from storage or another tab. */
export const asTokenSet = (value: unknown): TokenSet | undefined => (isTokenSet(value) ? value : undefined);

function isTokenSet(value: unknown): value is TokenSet {
  const { accessToken, obtainedAt, issuer, subject }: Partial<Record<keyof TokenSet, unknown>> =
    Object(value);
  const texts = [accessToken, issuer, subject].every((text) => typeof text === "string" && text !== "");
  return texts && typeof obtainedAt === "number";
}

/** The token set of this tab: in memory, and in sessionStorage to survive a reload. Never localStorage. */
export interface Keyring {
  get(): TokenSet | undefined;
  set(tokens: TokenSet): void;
  forget(): void;
}

export function openKeyring(storage: Storage, key: string): Keyring {
  let held = asTokenSet(readJson(storage, key));
  return {
    get: () => held,
    set: (tokens) => {
      held = tokens;
      writeJson(storage, key, tokens);
    },
    forget: () => {
      held = undefined;
      storage.removeItem(key);
    },
  };
}

export function readJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return undefined;
  }
}

export function writeJson(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // With full storage, the session just does not survive a reload.
  }
}
