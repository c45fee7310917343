import type { Queries } from "../../store/database";

/** What a page remembers on the server between two requests of one browser. */
export type StateKind = "SecondStep" | "PasskeyChallenge" | "NewApp" | "Confirmation";

interface SavedState<T> {
  readonly kind: StateKind;
  /** Of the sign-in or session that it belongs to; another one cannot use it. */
  readonly id: string;
  readonly value: T;
  /** Whose it is, if that is known: it ends with the account's sessions. */
  readonly subject?: string | undefined;
  readonly until: Date;
}

/** Keeps a value in place of an earlier one of the same kind and id. */
export async function saveState<T>(
  queries: Queries,
  { kind, id, value, subject, until }: SavedState<T>,
): Promise<void> {
  await queries.query(
    `insert into provider_records (kind, id, payload, account, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (kind, id) do update set payload = excluded.payload, account = excluded.account,
       expires_at = excluded.expires_at`,
    [kind, id, JSON.stringify(value), subject ?? null, until],
  );
}

export async function readState<T>(
  queries: Queries,
  kind: StateKind,
  id: string,
  now: Date,
): Promise<T | undefined> {
  const [row] = await queries.query<{ payload: string }>(
    "select payload from provider_records where kind = $1 and id = $2 and expires_at > $3",
    [kind, id, now],
  );
  return row && JSON.parse(row.payload);
}

/** Returns a value once: whoever asks again, even at the same time, gets nothing. */
export async function takeState<T>(
  queries: Queries,
  kind: StateKind,
  id: string,
  now: Date,
): Promise<T | undefined> {
  const [row] = await queries.query<{ payload: string; expires_at: Date }>(
    "delete from provider_records where kind = $1 and id = $2 returning payload, expires_at",
    [kind, id],
  );
  return row && row.expires_at > now ? JSON.parse(row.payload) : undefined;
}

export const inMinutes = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
