import { omitPaths } from "platform-contract/behavior";
import { by } from "platform-contract/order";
import { isObject } from "platform-contract/values";
import { createHash, createHmac, hkdfSync } from "node:crypto";

import { Failure, invalidArgument } from "../../status";
import { now } from "./clock";
import type { Queries } from "./database";
import { sealWith, unsealWith } from "./keys/sealed-texts";
import { sealingKey } from "./keys/sealing-keys";

/** Milliseconds that an answer is kept. */
export const KEPT_FOR = 24 * 3_600_000;

export interface KeyedRequest {
  /** Keys of different callers never meet. */
  readonly caller: string;
  readonly key: string;
  /** Everything that the key stands for: the operation and its input, as JSON. */
  readonly request: unknown;
  /** Fields of the answer that are not kept: a repetition learns that they were made, and not what they are. */
  readonly shownOnce: readonly string[];
}

/** The same text for the same JSON, whatever the order of its members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(by(([key]) => key)))
      : inner,
  );

/** What the database stores in place of a key and its request. Only a caller who repeats the key can read the answer. */
function fingerprint({ caller, key, request }: Omit<KeyedRequest, "shownOnce">) {
  const derive = (use: string) => new Uint8Array(hkdfSync("sha256", key, caller, use, 32));
  return {
    id: createHash("sha256").update(`${caller}\n${key}`).digest("hex"),
    digest: createHmac("sha256", derive("request")).update(canonical(request)).digest("hex"),
    sealing: sealingKey(derive("answer")),
  };
}

interface Kept {
  readonly digest: string;
  readonly sealed: string;
}

/**
 * Performs a request once: a repetition gets the first answer, without what is shown once, and one that arrives meanwhile waits for it. Runs in the
 * transaction of the write, so that the key is kept exactly if the write is. Throws INVALID_ARGUMENT if the key was
 * sent with another request.
 */
export async function answerOnce<T>(
  queries: Queries,
  keyed: KeyedRequest,
  perform: () => Promise<T>,
): Promise<T> {
  const { id, digest, sealing } = fingerprint(keyed);
  const at = now();
  const end = new Date(at.getTime() - KEPT_FOR);
  await queries.query("delete from idempotency_keys where id = $1 and created_at <= $2", [id, end]);
  // Waits for a transaction that has inserted the same key.
  const first = await queries.query(
    "insert into idempotency_keys values ($1, $2, '', $3) on conflict (id) do nothing returning 1",
    [id, digest, at],
  );
  if (first.length > 0) {
    const answer = await perform();
    const sealed = await sealWith(sealing, id, JSON.stringify({ answer: kept(answer, keyed) }));
    await queries.query("update idempotency_keys set sealed = $2 where id = $1", [id, sealed]);
    return answer;
  }
  const [found] = await queries.query<Kept>("select digest, sealed from idempotency_keys where id = $1", [
    id,
  ]);
  if (found && found.digest !== digest) throw reused();
  const text = found && (await unsealWith(sealing, id, found.sealed));
  if (text === undefined)
    throw new Failure("ABORTED", "Aborted: the idempotency key just expired, try again");
  const { answer }: { answer: T } = JSON.parse(text);
  return answer;
}

const kept = (answer: unknown, { shownOnce }: KeyedRequest): unknown =>
  isObject(answer) ? omitPaths(answer, shownOnce) : answer;

const reused = (): Failure =>
  invalidArgument([
    {
      field: "Idempotency-Key",
      description: "this key was already sent with a different request; use a new key for each request",
    },
  ]);

export async function sweepIdempotencyKeys(queries: Queries): Promise<void> {
  const end = new Date(now().getTime() - KEPT_FOR);
  await queries.query("delete from idempotency_keys where created_at <= $1", [end]);
}

/** Seconds since the oldest key that is kept; 0 if there is none. */
export async function oldestIdempotencyKey(queries: Queries): Promise<number> {
  const [key] = await queries.query<{ age: number }>(
    "select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age from idempotency_keys",
  );
  return Math.max(0, key?.age ?? 0);
}
