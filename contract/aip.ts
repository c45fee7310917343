import * as z from "zod/mini";

/**
 * Path-form identifier: 40 hex digits for a root record, then "/" and 16 hex digits per level. The limit
 * of 64 levels, twice what any record has, bounds the work per uid.
 */
export const UID_PATTERN = /^[0-9a-f]{40}(?:\/[0-9a-f]{16}){0,63}$/;

export const isUid = (text: string): boolean => UID_PATTERN.test(text);

/** The uid of the parent; "" for a root record. */
export const parentOf = (uid: string): string => uid.slice(0, Math.max(0, uid.lastIndexOf("/")));

/** The uid of the organization that a uid belongs to: its first part. */
export const rootOf = (uid: string): string => uid.split("/", 1)[0] ?? "";

/** True if `uid` is strictly below `ancestor`. */
export const isBelow = (uid: string, ancestor: string): boolean => uid.startsWith(`${ancestor}/`);

/** True if `uid` is `ancestor` or below it: what a role binding at `ancestor` covers. */
export const isWithin = (uid: string, ancestor: string): boolean =>
  uid === ancestor || isBelow(uid, ancestor);

/** Every ancestor of this uid, root first, without the uid itself. */
export function ancestorsOf(uid: string): string[] {
  const parts = uid.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** 1 for a root record, 2 for its children, and so on. */
export const depthOf = (uid: string): number => uid.split("/").length;

/** Drops duplicates, and every uid that is below another one of the list. */
export function topmost(uids: readonly string[]): string[] {
  const kept: string[] = [];
  // "/" sorts before hex digits, so everything below a uid directly follows it.
  for (const uid of uids.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !isWithin(uid, last)) kept.push(uid);
  }
  return kept;
}

const INT32_MAX = 2_147_483_647;
const int32 = (minimum: number) =>
  z
    .int("must be a whole number")
    .check(
      z.minimum(minimum, `must be ${minimum} or more`),
      z.maximum(INT32_MAX, `must be at most ${INT32_MAX}`),
    );

const scope = () => z.optional(z.string().check(z.regex(UID_PATTERN, "must be a uid")));

/** Paging parameters of a list (AIP-158), in snake_case. */
export const pageParameters = {
  page_size: z.optional(int32(0)),
  page_token: z.optional(z.string()),
  skip: z.optional(int32(0)),
};

/** Parameters of every list of records in groups (AIP-132). */
export const listParameters = {
  "uidp.descendants_of": scope(),
  "uidp.children_of": scope(),
  "uidp.ancestors_of": scope(),
  "uidp.in_root": z.optional(z.boolean("must be true or false")),
  "uidp.ids": z.optional(
    z
      .array(z.string().check(z.regex(UID_PATTERN, "must be uids")))
      .check(z.maxLength(200, "must have at most 200 uids")),
  ),
  ...pageParameters,
};

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 200;

export interface Order {
  /** A sortable field in snake_case, such as `created_at`. */
  readonly field: string;
  readonly descending: boolean;
}

/** Alternative spellings of the sort fields that every resource has (AIP-132). */
const ORDER_ALIASES: Record<string, string> = { create_time: "created_at", update_time: "updated_at" };

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Parses `field`, `field asc` or `field desc`; undefined for anything else and for fields that are not sortable. */
export function parseOrder(text: string, sortable: readonly string[]): Order | undefined {
  const [, name, direction] = /^\s*([A-Za-z_.]+)(?:\s+(asc|desc))?\s*$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const snake = snakeCase(name);
  const field = ORDER_ALIASES[snake] ?? snake;
  return sortable.includes(field) ? { field, descending: direction === "desc" } : undefined;
}

/** The `order_by` parameter of a list with these sort fields (AIP-132); blank means the default order. */
export const orderParameter = (sortable: readonly string[]) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => text.trim() === "" || parseOrder(text, sortable) !== undefined,
          `must be one of ${sortable.join(", ")}, optionally followed by asc or desc`,
        ),
      ),
  );

export const formatOrder = (order: Order): string => (order.descending ? `${order.field} desc` : order.field);

/** Parses an int64 from its JSON string: a number if that is exact, else a bigint; undefined if not an integer. */
export function parseInt64(text: string | number): number | bigint | undefined {
  if (typeof text === "number") return Number.isSafeInteger(text) ? text : undefined;
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const exact = BigInt(text);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}
