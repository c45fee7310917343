import type { Surroundings } from "./surroundings";
import { readJson, writeJson } from "./tokens";

/** Redirects without a session in between, within a minute, after which something is wrong rather than slow. */
const LIMIT = 3;
const WITHIN = 60_000;

export interface Attempts {
  /** Counts one more redirect that nobody pressed a button for; false when there were too many. */
  another(): boolean;
  forget(): void;
}

/** Keeps a provider that sends people back without signing them in from becoming a redirect loop. */
export function countAttempts(
  { storage, now }: Pick<Surroundings, "storage" | "now">,
  key: string,
): Attempts {
  return {
    another() {
      const kept = Object(readJson(storage, key)) as { count?: number; since?: number };
      const recent = kept.since !== undefined && now() - kept.since < WITHIN;
      const { count = 0, since = now() } = recent ? kept : {};
      if (count >= LIMIT) return false;
      writeJson(storage, key, { count: count + 1, since });
      return true;
    },
    forget: () => storage.removeItem(key),
  };
}
