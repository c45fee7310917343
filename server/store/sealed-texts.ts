import { EncryptJWT, jwtDecrypt } from "jose";

import type { Queries } from "./database";
import { secret } from "./secrets";

/** A text as the database may keep it: encrypted, and of use for one record alone. */
export async function seal(queries: Queries, record: string, text: string): Promise<string> {
  return new EncryptJWT({ text })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setSubject(record)
    .encrypt(await secret(queries, "sealed-texts"));
}

/** The text again; undefined when it was sealed for another record, or with a key that is gone. */
export async function unseal(queries: Queries, record: string, sealed: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtDecrypt(sealed, await secret(queries, "sealed-texts"), {
      subject: record,
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return String(payload["text"]);
  } catch (error) {
    if ((error as { code?: unknown }).code === undefined) throw error;
    return undefined;
  }
}
