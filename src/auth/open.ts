import type { Config } from "../config";
import { clientHash, isCallback, pathOfAddress, safeReturnPath } from "./addresses";
import { AuthError } from "./errors";
import { loadProvider, PREFIX } from "./predict-load";
import type { Provider } from "./provider";
import { createSession, type Session, type SignedOut } from "./session";
import { openSilent } from "./silent";
import { browser, type Surroundings } from "./surroundings";
import { openTabs, type Broadcast } from "./tabs";
import { openKeyring, readJson, secondsLeft, writeJson, type TokenSet } from "./tokens";

/** More redirects than this within a minute, without a session, mean a loop. */
const MAX_ATTEMPTS = 3;
const WINDOW_MS = 60_000;

interface Attempts {
  /** Counts another automatic redirect; returns false if there were too many. */
  another(): boolean;
  forget(): void;
}

/** Detects the redirect loop of a provider that sends users back without signing them in. */
function countAttempts({ storage, now }: Pick<Surroundings, "storage" | "now">, key: string): Attempts {
  return {
    another() {
      const kept: { count?: number; since?: number } = Object(readJson(storage, key));
      const recent = kept.since !== undefined && now() - kept.since < WINDOW_MS;
      const { count = 0, since = now() } = recent ? kept : {};
      if (count >= MAX_ATTEMPTS) return false;
      writeJson(storage, key, { count: count + 1, since });
      return true;
    },
    forget: () => storage.removeItem(key),
  };
}

/** The button of a page without a session, and its action. */
export interface Action {
  readonly label: string;
  run(): Promise<OpenedSession>;
}

export type OpenedSession =
  | { readonly state: "signed-in"; readonly session: Session }
  | { readonly state: "redirecting" }
  | { readonly state: "signed-out"; readonly message: string; readonly action: Action }
  | { readonly state: "failed"; readonly message: string; readonly detail?: string; readonly action: Action };

/** Milliseconds that a new tab waits for a busy one: a redirect to the provider takes longer. */
const OTHER_TABS_TIMEOUT_MS = 1_000;
const SIGNED_OUT: Readonly<Record<SignedOut, string>> = {
  everywhere: "You're signed out here and at the sign-in service.",
  here: "You're signed out of this console. You might still be signed in at the sign-in service; sign out there too if others use this device.",
  elsewhere: "You signed out in another tab.",
};

/** Signs in with the callback in the URL, the tokens of this tab or another one, or a redirect. */
export async function openSession(
  config: Pick<Config, "oidc" | "baseUrl">,
  surroundings: Surroundings = browser(config.baseUrl),
  load = loadProvider,
): Promise<OpenedSession> {
  const { base, storage, now } = surroundings;
  const name = PREFIX + (await clientHash(config.oidc.authority, config.oidc.clientId, base));
  const attempts = countAttempts(surroundings, `${name}:attempts`);
  const keyring = openKeyring(storage, `${name}:tokens`);
  let session: ReturnType<typeof createSession> | undefined;
  const tabs = openTabs({
    name,
    surroundings,
    current: keyring.get,
    onBroadcast: (news: Broadcast) => session?.onBroadcast(news),
  });
  let loaded: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    loaded ??= load().then(
      ({ createProvider }) => createProvider(config, storage, now),
      (error: unknown) => {
        throw new AuthError("unreachable", "The sign-in code couldn't be loaded.", {
          detail: String(error),
        });
      },
    );
    // Allows another attempt after the chunk failed to load.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  const silent = openSilent({ name, provider, surroundings });
  const rememberSignedOut = (how: SignedOut | undefined): void =>
    how ? writeJson(storage, `${name}:signed-out`, how) : storage.removeItem(`${name}:signed-out`);

  const failed = (error: unknown, label: string, run: Action["run"]): OpenedSession => {
    const { message, options } =
      error instanceof AuthError
        ? error
        : new AuthError("unreachable", "Sign-in failed.", { detail: String(error) });
    const { code, detail } = options;
    const details = [code, detail].filter(Boolean).join(": ");
    return { state: "failed", message, ...(details && { detail: details }), action: { label, run } };
  };

  const answers = (): Promise<boolean> =>
    provider()
      .then((known) => known.reach())
      .then(
        () => true,
        () => false,
      );

  const redirect = async (path: string): Promise<OpenedSession> => {
    try {
      surroundings.go(await (await provider()).begin(safeReturnPath(path, base)));
      return { state: "redirecting" };
    } catch (error) {
      return failed(error, "Try again", () => redirect(path));
    }
  };

  /** The user pressed the button, so this is not a redirect loop. */
  const signIn = (path: string) => (): Promise<OpenedSession> => {
    attempts.forget();
    rememberSignedOut(undefined);
    return redirect(path);
  };

  const signedIn = (): OpenedSession => {
    attempts.forget();
    rememberSignedOut(undefined);
    session ??= createSession({ name, keyring, tabs, provider, silent, surroundings, rememberSignedOut });
    return { state: "signed-in", session };
  };

  /** Resumes with the tokens of this tab or another one; undefined if none of them works any more. */
  const resume = async (): Promise<OpenedSession | undefined> => {
    // Expired, without a refresh token: on an empty page, a redirect is faster than a hidden frame.
    const usable = (tokens: TokenSet | undefined) =>
      tokens !== undefined && (tokens.refreshToken !== undefined || secondsLeft(tokens, now()) > 0);
    if (!usable(keyring.get())) {
      const newest = (await tabs.ask(OTHER_TABS_TIMEOUT_MS)).find(usable);
      keyring.forget();
      if (!newest) return undefined;
      keyring.set(newest);
    }
    const opened = signedIn();
    try {
      await session?.token();
      return opened;
    } catch (error) {
      if (!(error instanceof AuthError) || error.kind !== "ended")
        return failed(
          error,
          "Try again",
          async () => (await resume()) ?? redirect(pathOfAddress(surroundings.href())),
        );
      session = undefined;
      return undefined;
    }
  };

  const arrived = surroundings.href();
  let path = pathOfAddress(arrived);
  let stale: AuthError | undefined;
  if (isCallback(arrived, base)) {
    path = new URL(base).pathname;
    // First, because a reload or a copied URL must not use the code again.
    surroundings.rewrite(path);
    try {
      const { tokens, returnPath } = await (await provider()).finish(arrived);
      keyring.set(tokens);
      silent.forget();
      surroundings.rewrite(safeReturnPath(returnPath, base));
      tabs.announce({ kind: "tokens", tokens });
      return signedIn();
    } catch (error) {
      if (!(error instanceof AuthError) || error.kind !== "stale") {
        const { kind = "", options = {} } = error instanceof AuthError ? error : {};
        const back = safeReturnPath(options.returnPath, base);
        // The code may have been used. The provider's own session issues another one without a prompt.
        if (kind === "unreachable" && attempts.another() && (await answers())) return redirect(back);
        return failed(error, "Sign in", signIn(back));
      }
      stale = error;
    }
  }

  const signedOut = readJson(storage, `${name}:signed-out`);
  if (typeof signedOut === "string" && !keyring.get())
    return {
      state: "signed-out",
      message: SIGNED_OUT[signedOut as SignedOut] ?? SIGNED_OUT.here,
      action: { label: "Sign in", run: signIn(path) },
    };
  const resumed = await resume();
  if (resumed) return resumed;
  if (stale) return failed(stale, "Sign in", signIn(path));
  if (attempts.another()) return redirect(path);
  const loop = new AuthError("refused", "The sign-in service keeps sending you back without signing you in.");
  return failed(loop, "Sign in", signIn(path));
}
