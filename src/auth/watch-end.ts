import type { Surroundings } from "./surroundings";
import { secondsLeft, type TokenSet } from "./tokens";

/** Seconds of warning before the end: two minutes, or a third of a short lifetime. */
const WARNING_SECONDS = 120;
/** Milliseconds between clock checks: timers stop while the machine sleeps. */
const CHECK_INTERVAL_MS = 30_000;

/** Milliseconds since 1970 at which the end of a session is near; Infinity if the end is unknown. */
export function nearEnd({ expiresAt = Infinity, obtainedAt }: TokenSet): number {
  const life = expiresAt - obtainedAt / 1000;
  return (expiresAt - Math.min(WARNING_SECONDS, life / 3)) * 1000;
}

/**
 * Watches a token set without a refresh token: calls `near` near its end and `over` at its end. Stops once `held`
 * returns false.
 */
export async function watchEnd(
  tokens: TokenSet,
  { now, wait }: Pick<Surroundings, "now" | "wait">,
  on: { readonly held: () => boolean; readonly near: () => void; readonly over: () => void },
): Promise<void> {
  const until = async (time: number): Promise<boolean> => {
    while (on.held() && now() < time) await wait(Math.min(time - now(), CHECK_INTERVAL_MS));
    return on.held();
  };
  if (tokens.refreshToken || tokens.expiresAt === undefined) return;
  if (!(await until(nearEnd(tokens)))) return;
  if (secondsLeft(tokens, now()) > 0) on.near();
  if (await until(tokens.expiresAt * 1000)) on.over();
}
