import { AuthError } from "./errors";
import type { Provider } from "./provider";
import type { Surroundings } from "./surroundings";
import { writeJson, type TokenSet } from "./tokens";

/** Renewal in a hidden frame, for issuers that issue no refresh tokens. */
export interface Silent {
  /** False once it failed for good; remembered for the session, because each attempt can take ten seconds. */
  possible(): boolean;
  /** Throws an AuthError: `ended` if it is not possible, `unreachable` if that is unknown. */
  renew(tokens: TokenSet): Promise<TokenSet>;
  /** Called for a new session, which can try again. */
  forget(): void;
}

export function openSilent(options: {
  readonly name: string;
  readonly provider: () => Promise<Provider>;
  readonly surroundings: Pick<Surroundings, "storage" | "frame">;
}): Silent {
  const { provider } = options;
  const { storage, frame } = options.surroundings;
  const key = `${options.name}:no-frames`;
  return {
    possible: () => storage.getItem(key) === null,
    async renew(tokens) {
      try {
        return await (await provider()).renewSilently(tokens, frame);
      } catch (error) {
        if (!(error instanceof AuthError) || error.kind === "unreachable") throw error;
        writeJson(storage, key, error.options.code ?? error.options.detail ?? error.kind);
        throw new AuthError("ended", "The session has ended.");
      }
    },
    forget: () => storage.removeItem(key),
  };
}
