import type { Identity } from "platform-contract/iam/identities";
import { thePast } from "~/api/client/moment";
import { isPerson } from "~/frame/scope/people";
import { readTime } from "~/ui/display/time-text";

/** Maximum difference in ms between the two times set when a machine is created, in either order. */
const CREATED_TOGETHER_MS = 5_000;

/** What is said of an identity that has no such time. As of a moment of the past, none has. */
export const unseen = (): "never" | "unknown" => (thePast() ? "unknown" : "never");

/**
 * Returns when an identity last signed in; undefined if never. The service also sets the time when it creates a machine,
 * which doesn't count. A person is created by signing in, which does.
 */
export function lastSeen(identity: Identity): string | undefined {
  const { lastSeenTime, createTime } = identity;
  const seen = readTime(lastSeenTime);
  if (!seen) return undefined;
  const created = isPerson(identity.uid) ? undefined : readTime(createTime);
  return created && Math.abs(seen.getTime() - created.getTime()) <= CREATED_TOGETHER_MS
    ? undefined
    : lastSeenTime;
}
