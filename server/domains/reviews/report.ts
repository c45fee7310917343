import { createHash } from "node:crypto";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { signDigest } from "../../platform/store/keys/snapshot-key";
import { readItem, updateRow } from "../../platform/store/table";
import { withoutUnset } from "../../platform/standard/values";
import { allItems, itemsTable, reviewsTable } from "./reviews.table";

/** The `format` of a report, and its version. */
const FORMAT = { format: "platform-access-review", version: 1 };
/** Of the caller who reads it, or of the list. */
const NOT_REPORTED = ["etag", "coveredAt"];

/** Canonical JSON (RFC 8785): keys are sorted, and there is no white space. Of texts, numbers, booleans, lists and objects. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  // By UTF-16 code units, as `<` compares.
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(",")}}`;
}

/**
 * Closes a review: writes its report, hashes and signs it. Nothing of it changes afterward.
 * @param by uid and name of the identity that closes it
 */
export async function closeReview(
  queries: Queries,
  issuer: string,
  review: { readonly uid: string; readonly group: string },
  by: { readonly uid: string; readonly name: string },
): Promise<string> {
  const { uid, group } = review;
  await updateRow(queries, "access_reviews", uid, {
    state: "REVIEW_STATE_CLOSED",
    closed_at: now(),
    closed_by_name: by.name,
  });
  const head = (await readItem(queries, reviewsTable, uid)) ?? {};
  const items = (await allItems(queries, uid)).map((row) => {
    const item = Object.entries(itemsTable.toItem(row)).filter(([key]) => !NOT_REPORTED.includes(key));
    return withoutUnset(Object.fromEntries(item));
  });
  const report = canonical({ ...FORMAT, service: issuer, review: withoutUnset(head), items });
  const digest = `sha256:${createHash("sha256").update(report).digest("hex")}`;
  const signature = await signDigest(queries, issuer, { group, review: uid, digest, by: by.uid });
  await updateRow(queries, "access_reviews", uid, { report, digest, signature });
  return digest;
}
