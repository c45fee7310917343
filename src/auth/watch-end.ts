import type { Surroundings } from "./surroundings";
import { secondsLeft, type TokenSet } from "./tokens";

/** Seconds before its end at which somebody is warned: two minutes, or a third of a short life. */
const WARNING = 120;
/** Milliseconds between two looks at the clock: a timer stands still while the machine sleeps. */
const STEP = 30_000;

/** Milliseconds since 1970 at which the end of a session is near; Infinity when nobody knows when it ends. */
export function nearEnd({ expiresAt = Infinity, obtainedAt }: TokenSet): number {
  const life = expiresAt - obtainedAt / 1000;
  return (expiresAt - Math.min(WARNING, life / 3)) * 1000;
}

/**
 * Watches over a token set without a refresh token: calls `near` when its end is near and `over` at its end. Stops as
 * soon as `held` is false.
 */
export async function watchEnd(
  tokens: TokenSet,
  { now, wait }: Pick<Surroundings, "now" | "wait">,
  on: { readonly held: () => boolean; readonly near: () => void; readonly over: () => void },
): Promise<void> {
  const until = async (time: number): Promise<boolean> => {
    while (on.held() && now() < time) await wait(Math.min(time - now(), STEP));
    return on.held();
  };
  if (tokens.refreshToken || tokens.expiresAt === undefined) return;
  if (!(await until(nearEnd(tokens)))) return;
  if (secondsLeft(tokens, now()) > 0) on.near();
  if (await until(tokens.expiresAt * 1000)) on.over();
}
