import { createHash, randomBytes } from "node:crypto";

import type { Queries } from "../../store/database";
import type { Recorded } from "../../store/recorded";
import { deleteRecoveryCodes } from "./factors.table";

const COUNT = 10;
/** Crockford's Base32: no letter that looks like a digit. 16 of them have 80 bits, so that a fast hash is enough. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 16;

const makeCode = (): string =>
  [...randomBytes(LENGTH)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join("");

/** "ABCD-EFGH-..." as it is shown. */
const grouped = (code: string): string => code.replaceAll(/(.{4})(?!$)/g, "$1-");

/** What was typed, without separators, and with the letters that were meant. */
const spelled = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");

const hashOf = (code: string): string => createHash("sha256").update(code).digest("base64url");

/** Replaces the recovery codes of an account; returns the new ones, this once. */
export async function makeRecoveryCodes(queries: Recorded, subject: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, makeCode);
  await deleteRecoveryCodes(queries, subject);
  await queries.query(
    "insert into recovery_codes (subject, hash, created_at) select $1, unnest($2::text[]), $3",
    [subject, codes.map(hashOf), now],
  );
  return codes.map(grouped);
}

/** True for a code of the account that was not used before; it is from now on. */
export async function useRecoveryCode(
  queries: Recorded,
  subject: string,
  typed: string,
  now: Date,
): Promise<boolean> {
  const used = await queries.query(
    "update recovery_codes set used_at = $3 where subject = $1 and hash = $2 and used_at is null returning 1",
    [subject, hashOf(spelled(typed)), now],
  );
  return used.length > 0;
}

/** How many codes are left. */
export async function recoveryCodesLeft(queries: Queries, subject: string): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    "select count(*)::int as n from recovery_codes where subject = $1 and used_at is null",
    [subject],
  );
  return row?.n ?? 0;
}
