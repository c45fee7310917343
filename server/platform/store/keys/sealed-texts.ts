import { decodeProtectedHeader, EncryptJWT, jwtDecrypt } from "jose";

import type { Config } from "../../../config";
import type { Database, Queries } from "../database";
import { sealingKey, sealingKeys, type SealingKey } from "./sealing-keys";
import { errorCode } from "../../../reason";

export interface SealedTexts {
  /** Encrypts a text for the database; it can only be used for this record. */
  seal(record: string, text: string): Promise<string>;
  /** Decrypts a text; undefined if it was sealed for another record, or with a key that is not available. */
  unseal(record: string, sealed: string): Promise<string | undefined>;
  /** True if the current key sealed this. */
  isCurrent(sealed: string): Promise<boolean>;
}

/** Encrypts a text with this key; `unsealWith` needs the same key and record. */
export const sealWith = ({ id, bytes }: SealingKey, record: string, text: string): Promise<string> =>
  new EncryptJWT({ text })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: id })
    .setSubject(record)
    .encrypt(bytes);

/** Decrypts a text; undefined if it was sealed for another record or with another key. */
export async function unsealWith(
  { bytes }: SealingKey,
  record: string,
  sealed: string,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtDecrypt(sealed, bytes, {
      subject: record,
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return String(payload["text"]);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

export function sealedTexts(config: Pick<Config, "dataDir" | "secretKeys">): SealedTexts {
  const keys = sealingKeys(config);
  const idOf = (sealed: string) => decodeProtectedHeader(sealed).kid;
  return {
    seal: async (record, text) => sealWith(await keys.first(), record, text),
    async unseal(record, sealed) {
      const key = (await keys.all()).find(({ id }) => id === idOf(sealed));
      return key && unsealWith(key, record, sealed);
    },
    isCurrent: async (sealed) => idOf(sealed) === (await keys.first()).id,
  };
}

/** Name of the legacy key, which was stored in the same database as the texts it sealed. */
const FORMER = "sealed-texts";

async function formerKey(queries: Queries): Promise<SealingKey | undefined> {
  const [row] = await queries.query<{ value: string }>("select value from secrets where name = $1", [FORMER]);
  return row && sealingKey(Buffer.from(row.value, "base64url"));
}

/** What is sealed, each row for its own uid: client secrets of identity providers, and secrets of authenticator apps. */
const SEALED = ["identity_provider_secrets", "authenticator_apps"] as const;

/**
 * Seals everything with the current key: texts sealed with an earlier key, and those sealed with the legacy key in the
 * database, which is then deleted.
 * @returns how many texts no key opens any more
 */
export const sealAnew = (database: Database, texts: SealedTexts): Promise<number> =>
  database.transaction(async (queries) => {
    const former = await formerKey(queries);
    let lost = 0;
    for (const table of SEALED) {
      const rows = await queries.query<{ uid: string; sealed: string }>(
        `select uid, sealed from ${table} order by uid for update`,
      );
      for (const { uid, sealed } of rows) {
        if (await texts.isCurrent(sealed)) continue;
        const text = (await texts.unseal(uid, sealed)) ?? (former && (await unsealWith(former, uid, sealed)));
        if (text === undefined) lost += 1;
        else
          await queries.query(`update ${table} set sealed = $2 where uid = $1`, [
            uid,
            await texts.seal(uid, text),
          ]);
      }
    }
    if (former) await queries.query("delete from secrets where name = $1", [FORMER]);
    return lost;
  });
