import type { Identity } from "~/contract/iam/identities";
import { readTime } from "~/ui/display/time-text";
import { contains } from "~/resource/contains";

import type { IdentityListSearch, SeenFilter } from "./search";
import { emailOrSubject, lastSeen } from "./words";

const DAY = 24 * 60 * 60 * 1000;

/** The filters of a view that the API lacks, for a scan. */
export function matcherOf(
  { tab, contains: typed, seen }: IdentityListSearch,
  now = Date.now(),
): (identity: Identity) => boolean {
  return (identity) => {
    const other = tab === "people" ? emailOrSubject(identity) : identity.description;
    const named = typed === undefined || contains(typed, [identity.name, other]);
    return named && (seen === undefined || isUnused(identity, seen, now));
  };
}

/** One that was never seen is unused for as long as it exists: made yesterday, it is not unused for 30 days. */
function isUnused(identity: Identity, seen: SeenFilter, now: number): boolean {
  const used = lastSeen(identity);
  if (seen === "never") return used === undefined;
  const since = readTime(used ?? identity.createTime);
  return since === undefined || now - since.getTime() >= Number(seen) * DAY;
}
