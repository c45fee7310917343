import { rootOf } from "platform-contract/aip";
import { getAuditAccess, type HeldRole } from "platform-contract/audit/access";
import { listAuditEntries } from "platform-contract/audit/entries";
import { getAccessReviewReport } from "platform-contract/iam/access-reviews";
import { listRetentionDeletions } from "platform-contract/registry/retention";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { call } from "~/api/client/client";
import { formatQuantity } from "~/ui/display/numbers";

import type { ProofAsk } from "~/frame/proof/ask";
import type { FoldedAnswer } from "./verifier/fold";

/** No proof can be made; the message says why. */
export class ProofProblem extends Error {}

/** What the console shows besides what the entries say. */
export interface Compared {
  /** A sentence each. */
  readonly notProven: readonly string[];
  /** More files of the bundle, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

interface Context {
  readonly organization: string;
  /** The number of the last entry of the bundle. */
  readonly sequence: number;
  readonly signal: AbortSignal;
}

async function readAll<T>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  query: Readonly<Record<string, string>>,
  { path, signal }: { readonly path?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<readonly T[]> {
  const found: T[] = [];
  let token: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the one before
    const page = await call(list, {
      ...(path && { path }),
      query: { ...query, page_size: 200, ...(token !== undefined && { page_token: token }) },
      signal,
    });
    found.push(...page.items);
    token = page.nextPageToken;
  } while (token);
  return found;
}

const DIFFERENT =
  "What the entries say isn't what the console shows. If somebody changed something meanwhile, try again.";

/** Throws if the entries say something that the console doesn't show. @returns what it shows besides */
function beyond(shown: readonly string[], folded: readonly string[]): readonly string[] {
  const [all, known] = [new Set(shown), new Set(folded)];
  if (folded.some((one) => !all.has(one))) throw new ProofProblem(DIFFERENT);
  return shown.filter((one) => !known.has(one));
}

type AccessAnswer = FoldedAnswer & { readonly held: readonly HeldRole[] };

async function compareAccess(
  ask: Extract<ProofAsk, { kind: "access" }>,
  answer: AccessAnswer,
  { organization, signal }: Context,
): Promise<Compared> {
  const { from, until, group, below, identity } = ask;
  const { held = [], belowLeftOut } = await call(getAuditAccess, {
    query: {
      time: from,
      ...(until !== undefined && { until }),
      ...(group === undefined ? { identity: identity ?? "" } : { group, below: below === true }),
    },
    signal,
  });
  if (belowLeftOut)
    throw new ProofProblem("Too much changed below this folder since then: leave out the folders below it.");
  const isEarly = answer.unknown.length > 0;
  const here = held.filter((one) => rootOf(one.group) === organization);
  // Before the log, only today's role bindings tell from when to when: not what their entries do.
  const keyOf = ({ roleBinding, identity: who, role, startTime = "", endTime = "" }: HeldRole) =>
    [roleBinding, who, role, ...(isEarly ? [] : [startTime, endTime])].join(" ");
  const sure = isEarly ? answer.held.filter(({ startUnknown }) => !startUnknown) : answer.held;
  const more = new Set(beyond(here.map(keyOf), sure.map(keyOf)));
  const told = new Set(answer.held.map(keyOf));
  const elsewhere = held.length - here.length;
  return {
    notProven: [
      ...here
        .filter((one) => more.has(keyOf(one)) && !told.has(keyOf(one)))
        .map(
          (one) =>
            `The console also shows ${one.roleName ?? one.role} for ${one.identityName ?? one.identity} (role binding ${one.roleBinding}), which no entry says.`,
        ),
      ...(elsewhere > 0
        ? [
            `${formatQuantity(elsewhere, "role", "roles")} in other organizations, which have logs of their own.`,
          ]
        : []),
    ],
  };
}

async function compareHistory(
  { record: { uid, kind } }: Extract<ProofAsk, { kind: "history" }>,
  answer: FoldedAnswer & { readonly entries: readonly { readonly entry: string }[] },
  { organization, sequence, signal }: Context,
): Promise<Compared> {
  const rows = await readAll(
    listAuditEntries,
    { record: uid, ...(kind !== undefined && { kind }) },
    { signal },
  );
  const here = rows.filter((one) => rootOf(one.uid) === organization && Number(one.sequence) <= sequence);
  const more = beyond(
    here.map((one) => String(one.sequence)),
    answer.entries.map(({ entry }) => entry),
  );
  const elsewhere = rows.filter((one) => rootOf(one.uid) !== organization).length;
  return {
    notProven: [
      ...more.map((one) => `The console also shows entry ${one}, which names the record in another way.`),
      ...(elsewhere > 0
        ? [
            `${formatQuantity(elsewhere, "entry", "entries")} of other organizations, which have logs of their own.`,
          ]
        : []),
    ],
  };
}

interface Decision {
  readonly roleBinding: string;
  readonly decision: string;
}

async function compareReview(
  { review }: Extract<ProofAsk, { kind: "review" }>,
  answer: FoldedAnswer & {
    readonly closed?: { readonly digest?: string };
    readonly decisions: readonly Decision[];
  },
  { signal }: Context,
): Promise<Compared> {
  const {
    report = "",
    signature = "",
    digest,
  } = await call(getAccessReviewReport, {
    path: { uid: review },
    signal,
  });
  if (answer.closed?.digest !== digest)
    throw new ProofProblem("The log no longer has the end of this review.");
  const { items }: { items: readonly { bindingUid: string; decision?: string }[] } = JSON.parse(report);
  const more = beyond(
    items.flatMap(({ bindingUid, decision }) => (decision ? [`${bindingUid} ${decision}`] : [])),
    answer.decisions.map(({ roleBinding, decision }) => `${roleBinding} ${decision}`),
  );
  return {
    notProven: [
      ...(more.length > 0
        ? [`${formatQuantity(more.length, "decision", "decisions")} of the report, which no entry has.`]
        : []),
      "What else the report says of each role binding is what the service recorded when the review started and when it ended; of that, the log has only the report's hash.",
    ],
    files: { "report.json": report, "report.jws": signature },
  };
}

async function compareRetention(
  { run }: Extract<ProofAsk, { kind: "retention" }>,
  answer: FoldedAnswer & { readonly deleted: readonly { readonly tag: string }[] },
  { signal }: Context,
): Promise<Compared> {
  const rows = await readAll(listRetentionDeletions, {}, { path: { uid: run }, signal });
  const failed = rows.filter(({ state }) => state === "RETENTION_DELETION_STATE_FAILED").length;
  const more = beyond(
    rows.flatMap(({ tagUid = "", state }) => (state === "RETENTION_DELETION_STATE_FAILED" ? [] : [tagUid])),
    answer.deleted.map(({ tag }) => tag),
  );
  return {
    notProven: [
      ...more.map((one) => `The console also shows the deletion of tag ${one}, which no entry says.`),
      ...(failed > 0
        ? [
            `${formatQuantity(failed, "tag", "tags")} that couldn't be deleted: the log has only what was done.`,
          ]
        : []),
      "Why the rule chose each tag, and what it kept, is only in the report.",
    ],
  };
}

/** Compares what the entries say with what the API answers now. Throws a ProofProblem if that is something else. */
export function compare(ask: ProofAsk, answer: FoldedAnswer, context: Context): Promise<Compared> {
  // Each fold answers what its question asks for.
  const folded = answer as never;
  switch (ask.kind) {
    case "access":
      return compareAccess(ask, folded, context);
    case "history":
      return compareHistory(ask, folded, context);
    case "review":
      return compareReview(ask, folded, context);
    case "retention":
      return compareRetention(ask, folded, context);
  }
}
