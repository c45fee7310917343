import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import * as z from "zod";

import { HEAD_TYPE } from "platform-contract/audit/heads";
import { trimEndOf } from "platform-contract/trim";

import type { Head } from "../store/audit-heads";
import type { Queries } from "../store/database";
import { publicKeys } from "../store/keys/es256";
import { auditHeadKey } from "../store/keys/audit-head-key";
import { placeOf } from "./audit.table";
import type { Fault } from "./verify";

const claims = z.object({ organization: z.string(), sequence: z.string().regex(/^\d+$/), hash: z.string() });

/** The signatures in a text: one itself, one a line, or lines of JSON with a member `signature`, as forwards have. */
export const signaturesIn = (text: string): string[] =>
  (text.match(/[\w.-]+/g) ?? [])
    .map((word) => trimEndOf(word, "."))
    .filter((word) => /^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}$/.test(word));

/** What a signed head says. Throws if this installation did not sign it. */
async function read(queries: Queries, signature: string): Promise<Head> {
  const keys = createLocalJWKSet(publicKeys([await auditHeadKey(queries)]));
  if (decodeProtectedHeader(signature).typ !== HEAD_TYPE) throw new Error("it is not a head of an audit log");
  const { payload } = await compactVerify(signature, keys, { algorithms: ["ES256"] }).catch(() => {
    throw new Error("this installation did not sign it");
  });
  const { organization, sequence, hash } = claims.parse(JSON.parse(new TextDecoder().decode(payload)));
  return { chain: organization, sequence: Number(sequence), hash };
}

/** How the log contradicts a head that was kept; undefined if it does not. */
async function contradiction(queries: Queries, head: Head): Promise<string | undefined> {
  const row = await placeOf(queries, head.chain, head.sequence);
  const last = row?.last ?? 0;
  if (last < head.sequence) {
    const n = head.sequence - last;
    return `${n === 1 ? "the last entry is" : `the last ${n} entries are`} missing: the log went on to ${head.sequence}`;
  }
  const kept = row?.kept ?? 0;
  if (head.sequence < kept) return undefined;
  const found = head.sequence === kept ? row?.keptHash : row?.hash;
  return found === head.hash ? undefined : "it is another one than the head that was kept";
}

/** Compares the log with heads that were kept elsewhere. What retention has removed cannot be compared. */
export async function verifyAgainst(queries: Queries, signatures: readonly string[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const signature of signatures) {
    try {
      const head = await read(queries, signature);
      const problem = await contradiction(queries, head);
      if (problem !== undefined) faults.push({ chain: head.chain, sequence: head.sequence, problem });
    } catch (error) {
      const problem = `a head cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      faults.push({ chain: "", sequence: 0, problem });
    }
  }
  return faults;
}
