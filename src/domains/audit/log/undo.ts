import { againOf, isRecreatable, type Again } from "~/api/bulk/recreation-plan";
import { parentOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import { kindOf } from "platform-contract/kinds";
import { sameValue } from "platform-contract/values";

import { isDone } from "./who";
import { nounOf, type FieldChange } from "./words";

/** How an entry can be undone, if at all; undefined if it changed nothing. */
export type Undoing =
  | { readonly by: "update"; readonly collection: string; readonly uid: string }
  | { readonly by: "delete"; readonly collection: string; readonly uid: string }
  | { readonly by: "create"; readonly uid: string; readonly again: Again }
  | { readonly by: undefined; readonly why: string };

/** Dotted paths that are deeper cannot be told from a map's key with dots in it. */
const MAX_DEPTH = 3;

const not = (why: string): Undoing => ({ by: undefined, why });

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

/** Says how the API can take back what an entry did; a deleted record only comes back as a new one. */
export function undoingOf(entry: AuditEntry): Undoing | undefined {
  const { action, record, change, changes = [], relatedCount = entry.related?.length ?? 0 } = entry;
  if (!isDone(entry) || (change === undefined && relatedCount === 0)) return undefined;
  const { kind: collection = "", uid = "" } = record ?? {};
  const [, verb] = action.split(".");
  const noun = nounOf(collection);
  const { access } = kindOf(collection) ?? { access: {} };
  if (change === undefined) return not("It changed several records. Undo each from its own page.");
  const isWhole = !changes.some(({ hidden, cut }) => hidden || cut);
  if (change === "deleted" && isRecreatable(collection) && isWhole) {
    const fields = Object.fromEntries(changes.map(({ field, before }) => [field, parsed(before)]));
    return { by: "create", uid, again: againOf(collection, parentOf(uid), fields) };
  }
  if (change === "deleted")
    return not(`The API can't bring back a deleted record. A new ${noun} would have another ID.`);
  if (change === "created")
    return verb === "create" && "delete" in access
      ? { by: "delete", collection, uid }
      : not("It can't be undone from here. What it made can be removed on its own page.");
  if (relatedCount > 0) return not("It also changed other records, which an update can't restore.");
  if (action !== `${collection}.update` || !("update" in access))
    return not("The API has no operation to undo this.");
  if (changes.some(({ hidden }) => hidden)) return not("A secret changed, and the log keeps no secrets.");
  if (changes.some(({ cut }) => cut)) return not("The log keeps only the beginning of a long value.");
  if (changes.some(({ field }) => field.split(".").length > MAX_DEPTH))
    return not("The log doesn't have enough detail to undo this.");
  return { by: "update", collection, uid };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isHeld = (value: unknown): boolean => isFields(value) && Object.keys(value).length > 0;

const valueAt = (from: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), from);

/** `into` with a value at a path; without it if the value is undefined. */
function withAt(into: Fields, [key = "", ...rest]: readonly string[], value: unknown): Fields {
  if (rest.length > 0) {
    const inner = into[key];
    return { ...into, [key]: withAt(isFields(inner) ? inner : {}, rest, value) };
  }
  const { [key]: _, ...others } = into;
  return value === undefined ? others : { ...others, [key]: value };
}

export interface Reversal {
  readonly mask: readonly string[];
  readonly body: Fields;
  /** Fields that are no longer what the entry made them: someone changed them since. */
  readonly moved: readonly FieldChange[];
}

/**
 * The update that gives the fields of an entry their values before it.
 * @param current the record as it is
 */
export function reversalOf({ changes = [] }: AuditEntry, current: object): Reversal {
  const now: Fields = { ...current };
  const moved = changes.filter(
    ({ field, after }) => !sameValue(valueAt(now, field.split(".")), parsed(after)),
  );
  const next = changes.reduce(
    (made, { field, before }) => withAt(made, field.split("."), parsed(before)),
    now,
  );
  // A message that is there on one side only is one path, and so is a map.
  const maskOf = (field: string): string => {
    const [top = "", second] = field.split(".");
    return second !== undefined && isHeld(now[top]) && isHeld(next[top]) ? `${top}.${second}` : top;
  };
  const mask = [...new Set(changes.map(({ field }) => maskOf(field)))];
  const body = mask.reduce<Fields>((made, path) => {
    const value = valueAt(next, path.split("."));
    return value === undefined || (isFields(value) && !isHeld(value))
      ? made
      : withAt(made, path.split("."), value);
  }, {});
  return { mask, body, moved };
}
