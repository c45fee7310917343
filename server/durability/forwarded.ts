import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { rootOf } from "platform-contract/aip";

import type { Queries } from "../platform/store/database";

interface Line {
  readonly uid: string;
  readonly sequence: string;
  readonly hash: string;
}

/** Half a line stays where a process was killed. */
function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Waits until a target has every entry. */
export async function untilForwarded(queries: Queries, target: string): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    // oxlint-disable no-await-in-loop -- one look after the other
    const waiting = await queries.query(
      `select 1 from audit_heads h left join audit_forwards f on f.chain = h.chain and f.target = $1
       where h.sequence > coalesce(f.sequence, 0) limit 1`,
      [target],
    );
    if (waiting.length === 0) return;
    await sleep(1_000);
    // oxlint-enable no-await-in-loop
  }
  throw new Error(`${target} still lacks entries`);
}

interface Forwards {
  readonly wrong: readonly string[];
  readonly entries: number;
  /** Lines beyond the first of their entry. */
  readonly repeated: number;
  readonly torn: number;
}

/**
 * Compares a file that entries were forwarded to with the log: every entry at least once, none that is not in the log,
 * and each chain's first ones in the order of their numbers.
 */
export async function forwardsIn(queries: Queries, path: string): Promise<Forwards> {
  const rows = await queries.query<{ chain: string; sequence: number; hash: string }>(
    "select chain, sequence, hash from audit_entries",
  );
  const stored = new Map(rows.map(({ chain, sequence, hash }) => [`${chain} ${sequence}`, hash]));
  const last = new Map<string, number>();
  const seen = new Set<string>();
  const wrong: string[] = [];
  let [repeated, torn] = [0, 0];
  for (const text of (await readFile(path, "utf8")).split("\n").filter(Boolean)) {
    const line = parsed(text);
    if (!line) {
      torn += 1;
      continue;
    }
    const chain = line.uid.includes("/") ? rootOf(line.uid) : "";
    const key = `${chain} ${line.sequence}`;
    if (stored.get(key) !== line.hash) wrong.push(`${key} is not in the log`);
    if (seen.has(key)) {
      repeated += 1;
      continue;
    }
    seen.add(key);
    if (Number(line.sequence) !== (last.get(chain) ?? 0) + 1) wrong.push(`${key} came out of order`);
    last.set(chain, Number(line.sequence));
  }
  wrong.push(...[...stored.keys()].filter((key) => !seen.has(key)).map((key) => `${key} is missing`));
  return { wrong, entries: stored.size, repeated, torn };
}
