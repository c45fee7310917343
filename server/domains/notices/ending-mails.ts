import { TooManyMails, type Post } from "../../platform/mail/post";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import {
  DAY_MS,
  duePages,
  isDue,
  LATE_MS,
  noticeSettings,
  takeTurn,
  withOwners,
  type Ends,
} from "./endings.table";

/** A person gets one mail a day at most. */
const BETWEEN_MS = 23 * 3_600_000;
/** Ends that one mail names. */
const MOST = 50;

interface Options {
  readonly database: Database;
  readonly post: Post;
}

/** By person: what they own that is about to end, of what somebody may have to be told of. */
async function toTell(database: Database): Promise<ReadonlyMap<string, readonly Ends[]>> {
  const at = now();
  const found = new Map<string, Ends[]>();
  for await (const due of duePages(database, new Date(at.getTime() - LATE_MS), at))
    for (const [one, owners] of await withOwners(database, due))
      for (const owner of owners) {
        const own = found.get(owner);
        if (own) own.push(one);
        else found.set(owner, [one]);
      }
  return found;
}

/** Stores the mail of one person, once, in one transaction with the note that they were told. */
async function tell({ database, post }: Options, person: string, ends: readonly Ends[]) {
  const at = now();
  await database.transaction(async (queries) => {
    const settings = await noticeSettings(queries, person);
    if (!settings?.email || (settings.paused_until && settings.paused_until > at)) return;
    const since = Math.max(settings.told_at?.getTime() ?? 0, at.getTime() - LATE_MS);
    const due = ends.filter((one) => !settings.muted.includes(one.topic) && isDue(one, new Date(since), at));
    if (due.length === 0 || !(await takeTurn(queries, person, new Date(at.getTime() - BETWEEN_MS)))) return;
    const facts = {
      count: String(due.length),
      endings: JSON.stringify(
        due.slice(0, MOST).map(({ topic, name, identity_name, group_name, ends: end }) => ({
          topic,
          name,
          identity: identity_name,
          group: group_name,
          at: end.toISOString(),
        })),
      ),
    };
    await post.store(
      queries,
      { kind: "endings", address: settings.email, facts, usefulS: DAY_MS / 1000 },
      [],
    );
  });
}

/** Tells the owners of what ends in 30 days, 7 days or one day. */
export async function mailEndings(options: Options): Promise<void> {
  for (const [person, ends] of await toTell(options.database))
    // oxlint-disable-next-line no-await-in-loop -- requests of people come first
    await tell(options, person, ends).catch((error: unknown) => {
      // Too many wait: the next look tries again.
      if (!(error instanceof TooManyMails)) throw error;
    });
  options.post.wake();
}
