import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { now } from "../clock";
import type { Queries } from "../database";
import { lockShared } from "../table";

/** SCIM of one identity provider. */
export interface ScimSettings {
  readonly enabled: boolean;
  readonly version: number;
  readonly hash: string | null;
  /** Null for a token that never expires. */
  readonly expires: Date | null;
  readonly previousHash: string | null;
  readonly previousExpires: Date | null;
  readonly revoked: Date | null;
  /** The last write of the directory. */
  readonly pushed: Date | null;
}

const NONE: ScimSettings = {
  enabled: false,
  version: 0,
  hash: null,
  expires: null,
  previousHash: null,
  previousExpires: null,
  revoked: null,
  pushed: null,
};

const COLUMNS = `enabled, version, hash, expires_at as expires, previous_hash as "previousHash",
  previous_expires_at as "previousExpires", revoked_at as revoked, pushed_at as pushed`;

/** The settings of providers by uid; missing ones have never been changed. */
export async function readScimSettings(
  queries: Queries,
  providers: readonly string[],
): Promise<(provider: string) => ScimSettings> {
  const rows = await queries.query<ScimSettings & { uid: string }>(
    `select uid, ${COLUMNS} from scim_settings where uid = any($1::text[])`,
    [[...providers]],
  );
  return (provider) => rows.find(({ uid }) => uid === provider) ?? NONE;
}

/** Locks the settings of a provider until the transaction ends; undefined if there is no such provider. */
export async function lockScimSettings(
  queries: Queries,
  provider: string,
): Promise<ScimSettings | undefined> {
  if (!(await lockShared(queries, "identity_providers", provider))) return undefined;
  await queries.query("insert into scim_settings (uid) values ($1) on conflict (uid) do nothing", [provider]);
  const [row] = await queries.query<ScimSettings>(
    `select ${COLUMNS} from scim_settings where uid = $1 for update`,
    [provider],
  );
  return row ?? NONE;
}

/** Stores changed settings under the next version. @returns them */
export async function keepScimSettings(
  queries: Queries,
  provider: string,
  before: ScimSettings,
  changed: Partial<ScimSettings>,
): Promise<ScimSettings> {
  const next = { ...before, ...changed, version: before.version + 1 };
  await queries.query(
    `update scim_settings set enabled = $2, version = $3, hash = $4, expires_at = $5, previous_hash = $6,
       previous_expires_at = $7, revoked_at = $8 where uid = $1`,
    [
      provider,
      next.enabled,
      next.version,
      next.hash,
      next.expires,
      next.previousHash,
      next.previousExpires,
      next.revoked,
    ],
  );
  return next;
}

/** A new token in the published form; only its hash is stored. */
export const newScimToken = (): string => `cgscim_${randomBytes(32).toString("hex")}`;

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

const isAhead = (time: Date | null): boolean => time !== null && time > now();

/** True if the current token can be used. */
export const isLive = ({ hash, expires }: ScimSettings): boolean =>
  hash !== null && (expires === null || isAhead(expires));

/** True if the token of before the last rotation can still be used. */
export const isRotating = ({ previousHash, previousExpires }: ScimSettings): boolean =>
  previousHash !== null && isAhead(previousExpires);

/** True if this is one of the provider's tokens, and valid now. */
export function isScimToken(settings: ScimSettings, token: string): boolean {
  const given = Buffer.from(hashOfToken(token));
  const is = (hash: string | null): boolean => hash !== null && timingSafeEqual(Buffer.from(hash), given);
  return (isLive(settings) && is(settings.hash)) || (isRotating(settings) && is(settings.previousHash));
}
