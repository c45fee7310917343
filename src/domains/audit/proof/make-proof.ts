/* oxlint-disable import/default -- Vite gives a file's text as its default export */
import { decodeJwt } from "jose";

import { HEAD_KEYS_PATH } from "platform-contract/audit/heads";
import { SIGNATURE_KEYS_PATH } from "platform-contract/snapshots/signatures";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { formatCount } from "~/ui/display/numbers";

import type { ProofAsk } from "~/frame/proof/ask";
import { ZipFile } from "./bundle";
import { compare, ProofProblem } from "./compare";
import { MOST_ENTRIES, readChain, readHead } from "./read-chain";
import * as access from "./verifier/access.mjs";
import accessText from "./verifier/access.mjs?raw";
import * as history from "./verifier/history.mjs";
import historyText from "./verifier/history.mjs?raw";
import recipe from "./verifier/recipe.txt?raw";
import * as retention from "./verifier/retention.mjs";
import retentionText from "./verifier/retention.mjs?raw";
import * as review from "./verifier/review.mjs";
import reviewText from "./verifier/review.mjs?raw";
import verifyText from "./verifier/verify.mjs?raw";

const FOLDS = {
  access: [access, accessText],
  history: [history, historyText],
  retention: [retention, retentionText],
  review: [review, reviewText],
} as const;

export interface ProofInput {
  readonly ask: ProofAsk;
  readonly organization: { readonly uid: string; readonly name: string };
  readonly by: { readonly uid?: string | undefined; readonly name: string };
  /** Address of the API, without a trailing slash. */
  readonly address: string;
  /** Name of the folder in the file. */
  readonly folder: string;
}

export interface Proof {
  readonly blob: Blob;
  readonly entries: number;
  /** What the bundle can't prove, a sentence each. */
  readonly unknown: readonly string[];
}

async function keysAt(address: string, path: string, signal: AbortSignal): Promise<readonly object[]> {
  const answer = await fetch(`${address}${path}`, { credentials: "omit", cache: "no-cache", signal });
  const { keys }: { keys?: object[] } = answer.ok ? await answer.json() : {};
  if (!Array.isArray(keys)) throw new ProofProblem("The service's public keys couldn't be read.");
  return keys;
}

/** A period doesn't end after the log does. */
function until(ask: ProofAsk, time: string): ProofAsk {
  if (ask.kind !== "access") return ask;
  if (ask.from > time) throw new ProofProblem("That time hasn't come yet.");
  return ask.until !== undefined && ask.until > time ? { ...ask, until: time } : ask;
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Reads the whole log of an organization, answers the question from it, and packs both with what proves them. Rejects
 * with a ProofProblem, an ApiError, or the reason of `signal`.
 * @param onProgress entries read, and how many there are at most
 */
export async function makeProof(
  { ask: asked, organization, by, address, folder }: ProofInput,
  options: {
    readonly signal: AbortSignal;
    readonly retry: RetryPolicy;
    readonly onProgress: (read: number, total: number) => void;
  },
): Promise<Proof> {
  const { signal, onProgress } = options;
  const head = await readHead(organization.uid, options);
  const ask = until(asked, head.time);
  const { kind, ...question } = ask;
  const [{ startFold }, foldText] = FOLDS[kind];
  const { iss: service = "" } = decodeJwt(head.signature);
  const facts = { kind, service, organization, ...question, askedBy: by, time: head.time };
  const fold = startFold(facts);
  const zip = new ZipFile(folder);
  const file = zip.open("entries.jsonl");
  let entries = 0;
  for await (const some of readChain(organization.uid, head.sequence, options)) {
    for (const entry of some) fold.add(entry);
    entries += some.length;
    if (entries > MOST_ENTRIES)
      throw new ProofProblem(
        `The log has more than ${formatCount(MOST_ENTRIES)} entries, the most that a proof made here can have.`,
      );
    file.add(some.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    onProgress(entries, head.sequence);
    signal.throwIfAborted();
  }
  await file.end();
  const answer = fold.end();
  const { notProven, files = {} } = await compare(ask, answer, {
    organization: organization.uid,
    sequence: head.sequence,
    signal,
  });
  const keys = [
    ...(await keysAt(address, HEAD_KEYS_PATH, signal)),
    ...(kind === "review" ? await keysAt(address, SIGNATURE_KEYS_PATH, signal) : []),
  ];
  const unknown = [...answer.unknown, ...notProven];
  const contents = {
    "question.json": json({ ...facts, notProven }),
    "answer.json": json(answer),
    "head.jws": head.signature,
    "keys.json": json({ keys }),
    "answer.mjs": foldText,
    "verify.mjs": verifyText,
    "README.txt": readme(facts, { entries, unknown }),
    ...files,
  };
  for (const [name, text] of Object.entries(contents))
    // oxlint-disable-next-line no-await-in-loop -- one after another into one file
    await zip.add(name, text);
  signal.throwIfAborted();
  return { blob: zip.end(), entries, unknown };
}

const ABOUT = {
  access: "who had which role at a time",
  history: "what happened to a record",
  review: "what was decided in an access review",
  retention: "which tags a run of a retention rule deleted",
};

function readme(
  {
    kind,
    service,
    organization,
    time,
  }: { kind: ProofAsk["kind"]; service: string; organization: { uid: string }; time: string },
  { entries, unknown }: Pick<Proof, "entries" | "unknown">,
): string {
  return `A PROOF FROM AN AUDIT LOG: ${ABOUT[kind]}

question.json   what was asked, by whom, and when (${time})
answer.json     what follows from the entries, and what they can't tell
entries.jsonl   the log of organization ${organization.uid}, ${formatCount(entries)} entries, as the API gives them
head.jws        its last entry, signed by ${service}
keys.json       the public keys, with their IDs
verify.mjs      checks all of this; answer.mjs computes the answer
SHA256SUMS      the hash of each file
${kind === "review" ? "report.json, report.jws   the report of the review, and its signature\n" : ""}
It has the whole log, since each entry is tied to the one before it: the link of a part can't be checked without the
entries between. Give it only to people who may read all of them.

WHAT IT PROVES

The service had signed a log that ends with this entry; no entry of it was changed, moved or left out since; and the answer is
what its entries say. If somebody else kept a later head of this log, the log can be compared with it.

WHAT IT CAN'T PROVE

- That the entries tell the truth: they are what the service recorded.
- That the log was not written anew as a whole by whoever has the service's database and key, before this head was signed.
- What was before the first entry, if that is not the creation of the organization.
- Who asked, and why: question.json only says so.
${unknown.map((one) => `- ${one.replaceAll(/\p{C}/gu, "?")}\n`).join("")}${recipe}`;
}
