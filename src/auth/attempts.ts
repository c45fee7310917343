import type { Surroundings } from "./surroundings";
import { readJson, writeJson } from "./tokens";

/** More redirects than this within a minute, without a session, mean a loop. */
const MAX_ATTEMPTS = 3;
const WINDOW_MS = 60_000;

export interface Attempts {
  /** Counts another automatic redirect; returns false if there were too many. */
  another(): boolean;
  forget(): void;
}

/** Detects the redirect loop of a provider that sends users back without signing them in. */
export function countAttempts(
  { storage, now }: Pick<Surroundings, "storage" | "now">,
  key: string,
): Attempts {
  return {
    another() {
      const kept = Object(readJson(storage, key)) as { count?: number; since?: number };
      const recent = kept.since !== undefined && now() - kept.since < WINDOW_MS;
      const { count = 0, since = now() } = recent ? kept : {};
      if (count >= MAX_ATTEMPTS) return false;
      writeJson(storage, key, { count: count + 1, since });
      return true;
    },
    forget: () => storage.removeItem(key),
  };
}
