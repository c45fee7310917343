import type { FieldViolation } from "platform-contract/status";
import { oncePerField, violationsOf } from "platform-contract/violations";

import { invalidArgument } from "../../status";
import type { Row } from "../store/database";
import type { Masked } from "./masks";
import type { Change, Context, Draft, Rules } from "./rules";
import type { Fields } from "./values";
import { isNamed } from "./violations";

/** Maximum bytes of a whole record as JSON: a list page can have two hundred. */
const RECORD_BYTES = 256_000;

/** Throws INVALID_ARGUMENT on the largest field if a record is too large, even if it grew over several requests. */
function checkSize(record: unknown): void {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes(record) <= RECORD_BYTES) return;
  const fields = Object.entries(record as Fields).toSorted(([, a], [, b]) => bytes(b) - bytes(a));
  const description = `the whole record must be at most ${RECORD_BYTES} bytes long, and this is most of it`;
  throw invalidArgument([{ field: fields[0]?.[0] ?? "", description }]);
}

/** Returns what the contract and the resource's own rules find wrong with a draft, the contract's violations first. */
async function violationsIn<I>(context: Context, rules: Rules<I>, draft: Draft): Promise<FieldViolation[]> {
  const own = (await rules.violations?.(context, draft)) ?? [];
  return oncePerField([...violationsOf(rules.resource.request, draft.fields), ...own]);
}

/**
 * Filters violations to those that an update causes: on fields that it names, or that the record did not have before. A
 * stored value from before a stricter rule does not block other changes.
 */
async function causedBy<I>(
  context: Context,
  rules: Rules<I>,
  { draft, current, masked }: Update,
  violations: readonly FieldViolation[],
): Promise<FieldViolation[]> {
  const named = isNamed(masked);
  if (violations.every(named)) return [...violations];
  const before = await violationsIn(context, rules, { ...draft, fields: current });
  const wasPresent = ({ field, description }: FieldViolation) =>
    before.some((one) => one.field === field && one.description === description);
  return violations.filter((violation) => named(violation) || !wasPresent(violation));
}

/** A draft that updates a record. */
export interface Update {
  readonly draft: Draft;
  /** The stored values of its settable fields. */
  readonly current: Fields;
  readonly masked: Masked;
}

/** Validates a draft; returns the change and the columns to write. */
export async function accept<I>(
  context: Context,
  rules: Rules<I>,
  draft: Draft,
  update?: Update,
): Promise<{ change: Change<I>; columns: Row }> {
  const found = await violationsIn(context, rules, draft);
  const violations = update
    ? [...update.masked.violations, ...(await causedBy(context, rules, update, found))]
    : found;
  if (violations.length > 0) throw invalidArgument(oncePerField(violations));
  const result = rules.resource.request.safeParse(draft.fields);
  // Stored values can break a newer rule, but their types are right.
  const next = result.success ? result.data : (draft.fields as I);
  checkSize(next);
  const change = { ...draft, next };
  await rules.beforeWrite?.(context, change);
  return { change, columns: rules.columns(next, draft) };
}
