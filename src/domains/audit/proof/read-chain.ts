import { listAuditEntries } from "platform-contract/audit/entries";
import { getAuditHeads } from "platform-contract/audit/heads";
import { call, readRaw } from "~/api/client/client";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { withRetries } from "~/api/paging/scan-pages";

import { ProofProblem } from "./compare";

/** Entries that one proof reads: about 75 MB of text. */
export const MOST_ENTRIES = 50_000;
/** Entries that wait for one before them: those of one moment come in another order. */
const WAITING = 1_000;

export interface SignedHead {
  readonly sequence: number;
  readonly time: string;
  readonly signature: string;
}

/** The signed end of the log of an organization. */
export async function readHead(
  organization: string,
  { signal, retry }: { readonly signal: AbortSignal; readonly retry: RetryPolicy },
): Promise<SignedHead> {
  let token: string | undefined;
  do {
    const query = { page_size: 200, ...(token !== undefined && { page_token: token }) };
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the one before
    const page = await withRetries(() => call(getAuditHeads, { query, signal }), retry, signal);
    const found = page.heads?.find((one) => one.organization === organization);
    if (found)
      return {
        sequence: Number(found.sequence),
        time: found.time ?? "",
        signature: found.signature ?? "",
      };
    token = page.nextPageToken;
  } while (token);
  throw new ProofProblem("You can't read the log of this organization.");
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason as Error)), {
      once: true,
    });
  });

interface Page {
  readonly auditEntries?: readonly ChainEntry[];
  readonly nextPageToken?: string;
}

/** An entry with its fields in the order in which the service wrote them, which its hash is of. */
export interface ChainEntry {
  readonly sequence: string;
}

async function readPage(
  query: object,
  signal: AbortSignal,
  { retry, retryDelay }: RetryPolicy,
): Promise<Page> {
  for (let failures = 0; ; failures += 1)
    try {
      // oxlint-disable-next-line no-await-in-loop -- again only if it failed
      const { response, text } = await readRaw({ endpoint: listAuditEntries, query }, signal);
      // The same request again, read by the contract, which says what the refusal means.
      // oxlint-disable-next-line no-await-in-loop
      if (!response.ok) await call(listAuditEntries, { query, signal });
      else return JSON.parse(text) as Page;
    } catch (error) {
      if (signal.aborted || !(error instanceof Error) || !retry(failures, error)) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await pause(retryDelay(failures, error), signal);
    }
}

/**
 * Reads the chain of an organization up to an entry, oldest first, each entry once. Throws a ProofProblem where one is
 * missing.
 * @param last the number of the last entry
 */
export async function* readChain(
  organization: string,
  last: number,
  options: { readonly signal: AbortSignal; readonly retry: RetryPolicy },
): AsyncGenerator<readonly ChainEntry[]> {
  const waiting = new Map<number, ChainEntry>();
  let next: number | undefined;
  let token: string | undefined;
  const ready = (most: number): ChainEntry[] => {
    const found: ChainEntry[] = [];
    const numbers = [...waiting.keys()].toSorted((one, other) => one - other);
    for (const number of numbers.slice(0, Math.max(0, numbers.length - most))) {
      if (number !== (next ?? number))
        throw new ProofProblem(
          `You can't read entry ${next} of this log, so it can't be proven that nothing is missing.`,
        );
      const entry = waiting.get(number);
      if (entry) found.push(entry);
      waiting.delete(number);
      next = number + 1;
    }
    return found;
  };
  do {
    const query = {
      "uidp.descendants_of": organization,
      order_by: "created_at",
      page_size: 200,
      ...(token !== undefined && { page_token: token }),
    };
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the one before
    const page: Page = await readPage(query, options.signal, options.retry);
    for (const entry of page.auditEntries ?? [])
      if (Number(entry.sequence) <= last) waiting.set(Number(entry.sequence), entry);
    token = page.nextPageToken;
    yield ready(token ? WAITING : 0);
  } while (token);
  if (next !== last + 1) throw new ProofProblem("The log couldn't be read to its end. Try again.");
}
