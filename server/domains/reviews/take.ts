import { ancestorsOf, isWithin, parentOf, rootOf } from "platform-contract/aip";
import {
  MOST_REVIEWED,
  MOST_REVIEWS,
  QUARTER_MONTHS,
  type ReviewFinding,
} from "platform-contract/iam/access-reviews";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { countAlone, insertRow, insertRows } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import { failedPrecondition } from "../../status";
import { recordedSince } from "../access/capability-use.table";
import { isMemberOf } from "../access/memberships.table";
import { ownersOf } from "../notices/endings.table";
import { findBindings, granterOf, ownersOfMachines, type FoundBinding } from "./bindings.table";
import { countReviews, type Evidence } from "./reviews.table";

const DAY_MS = 86_400_000;
/** Use that is counted for less does not say much about who used nothing. */
const LEAST_COUNTED_MS = 30 * DAY_MS;
/** Role bindings from further up that a review lists. */
const MOST_INHERITED = 2_000;
const ROWS_AT_ONCE = 1_000;

export interface Start {
  readonly group: string;
  readonly title: string;
  readonly due: Date;
  readonly quarterly: boolean;
  readonly rule: string;
  readonly named: readonly string[];
  readonly asksMachineOwners: boolean;
  readonly maker: { readonly uid: string; readonly name: string };
  /** True for a group above whose role bindings the maker can list. */
  readonly sees: (group: string) => boolean;
}

function evidenceOf(found: FoundBinding, since: Date | undefined): Evidence {
  const { by, why } = granterOf(found);
  const { home, last_seen_at: seen, last_use: used, covered_group: covered } = found;
  const machine = home !== null;
  const isCounted = since !== undefined && now().getTime() - since.getTime() >= LEAST_COUNTED_MS;
  const findings: readonly (readonly [ReviewFinding, boolean])[] = [
    ["REVIEW_FINDING_NEVER_SEEN", seen === null],
    ["REVIEW_FINDING_NOT_USED", isCounted && found.used_count === 0 && found.capability_count > 0],
    ["REVIEW_FINDING_COVERED", covered !== null],
    [
      "REVIEW_FINDING_STRONG_MACHINE",
      machine && found.built_in && ["owner", "editor"].includes(found.role_name),
    ],
    ["REVIEW_FINDING_NO_EFFECT", machine && !isWithin(found.parent, home)],
  ];
  return {
    group: found.group_name,
    identity: found.identity_name,
    role: found.role_name,
    machine,
    granted: found.created_at.toISOString(),
    ...(by !== undefined && { grantedBy: by }),
    ...(why !== undefined && { grantReason: why }),
    ...(seen && { seen: seen.toISOString() }),
    ...(since && { usedSince: since.toISOString() }),
    ...(used && { lastUse: used.toISOString() }),
    used: found.used_count,
    capabilities: found.capability_count,
    ...(covered !== null && {
      covered: { words: `${found.covered_role} in ${found.covered_group_name}`, group: covered },
    }),
    findings: findings.flatMap(([finding, applies]) => (applies ? [finding] : [])),
  };
}

/** Who is asked about a binding; never the one who has it. */
async function reviewersOf(
  queries: Queries,
  { rule, named, asksMachineOwners }: Start,
  found: readonly FoundBinding[],
): Promise<(one: FoundBinding) => readonly string[]> {
  const groups = [...new Set(found.flatMap(({ parent }) => [parent, ...ancestorsOf(parent)]))];
  const owners = rule === "REVIEWER_RULE_NAMED" ? undefined : await ownersOf(queries, groups);
  const machines = found.filter(({ home }) => home !== null).map(({ identity_uid: uid }) => uid);
  const answering = asksMachineOwners ? await ownersOfMachines(queries, machines, isMemberOf) : undefined;
  return ({ parent, identity_uid: identity }) => {
    const answers = answering?.get(identity);
    if (answers !== undefined) return [answers];
    const others = (some: readonly string[]) => some.filter((uid) => uid !== identity);
    if (!owners) return others(named);
    // Whoever owns a folder alone is reviewed by the owners above.
    for (let group = parent; group !== ""; group = parentOf(group)) {
      const able = others(owners.get(group) ?? []);
      if (able.length > 0) return able;
    }
    return [];
  };
}

/** The same day of the month, or the last one of it, so many months later. */
export function monthsLater(from: Date, months: number): Date {
  const later = new Date(from);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later;
}

/** Starts a review: takes every role binding as it is now. Throws FAILED_PRECONDITION. @returns its uid */
export async function startReview(queries: Queries, start: Start): Promise<string> {
  const { group } = start;
  await countAlone(queries, rootOf(group));
  const refuse = (type: string, description: string) =>
    failedPrecondition([{ type, description, subject: group }]);
  if ((await countReviews(queries, rootOf(group))) >= MOST_REVIEWS)
    throw refuse(
      "REVIEW_LIMIT",
      `an organization can have at most ${MOST_REVIEWS} access reviews: delete closed ones`,
    );
  const found = await findBindings(queries, { within: group }, MOST_REVIEWED + 1);
  if (found.length > MOST_REVIEWED)
    throw refuse(
      "REVIEW_SIZE",
      `this group has more than ${MOST_REVIEWED} role bindings: review its folders one at a time`,
    );
  const above = ancestorsOf(group);
  const seen = above.filter(start.sees);
  const higher = seen.length > 0 ? await findBindings(queries, { at: seen }, MOST_INHERITED + 1) : [];
  const at = now();
  const uid = newChildUid(group);
  await insertRow(queries, "access_reviews", {
    uid,
    parent: group,
    title: start.title,
    state: "REVIEW_STATE_OPEN",
    due_at: start.due,
    quarterly: start.quarterly,
    reviewer_rule: start.rule,
    reviewer_uids: start.named,
    asks_machine_owners: start.asksMachineOwners,
    maker_uid: start.maker.uid,
    maker_name: start.maker.name,
    inherited_incomplete: seen.length < above.length || higher.length > MOST_INHERITED,
    next_at: start.quarterly ? monthsLater(at, QUARTER_MONTHS) : null,
  });
  const reviewers = await reviewersOf(queries, start, found);
  const since = await recordedSince(queries);
  const all = [
    ...found.map((one) => ({ one, inherited: false })),
    ...higher.slice(0, MOST_INHERITED).map((one) => ({ one, inherited: true })),
  ];
  const rows = all.map(({ one, inherited }, place) => ({
    uid: `${uid}/${place.toString(16).padStart(16, "0")}`,
    parent: uid,
    binding_uid: one.uid,
    group_uid: one.parent,
    identity_uid: one.identity_uid,
    role_uid: one.role_uid,
    ends_at: one.expires_at,
    inherited,
    evidence: evidenceOf(one, since),
    reviewers: inherited ? [] : reviewers(one),
    decision: "",
    note: "",
    version: 0,
    result: "",
    result_message: "",
    created_at: at,
    updated_at: at,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
    await insertRows(queries, "access_review_items", rows.slice(from, from + ROWS_AT_ONCE));
  return uid;
}
