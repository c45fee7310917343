import { NOTICE_DAYS } from "platform-contract/iam/notices";

import type { Log } from "../../log";
import { TooManyMails, type Post } from "../../platform/mail/post";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { DAY_MS, endingPage, isDue, noticeSettings, takeTurn, withOwners, type Ends } from "./endings.table";

/** How often to look; a person gets one mail a day at most. */
const LOOK_MS = 3_600_000;
const BETWEEN_MS = 23 * 3_600_000;
/** What nobody was told of for so long, since the service was down or mails were paused, is old news. */
const LATE_MS = 7 * DAY_MS;
const PAGE = 1_000;
/** Ends that one mail names. */
const MOST = 50;

interface Options {
  readonly database: Database;
  readonly post: Post;
  readonly log: Log;
}

/** By person: what they own that is about to end, of what somebody may have to be told of. */
async function toTell(database: Database): Promise<ReadonlyMap<string, readonly Ends[]>> {
  const at = now();
  const until = new Date(at.getTime() + NOTICE_DAYS[0] * DAY_MS);
  const late = new Date(at.getTime() - LATE_MS);
  const found = new Map<string, Ends[]>();
  let after: Ends | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins after the one before
    const page = await endingPage(database, until, after, PAGE);
    const due = page.filter((one) => isDue(one, late, at));
    // oxlint-disable-next-line no-await-in-loop -- few, as each is of one page
    for (const [one, owners] of await withOwners(database, due))
      for (const owner of owners) {
        const own = found.get(owner);
        if (own) own.push(one);
        else found.set(owner, [one]);
      }
    after = page.at(-1);
    if (page.length < PAGE) return found;
  }
}

/** Stores the mail of one person, once, in one transaction with the note that they were told. */
async function tell({ database, post }: Omit<Options, "log">, person: string, ends: readonly Ends[]) {
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
export async function mailEndings(options: Omit<Options, "log">): Promise<void> {
  for (const [person, ends] of await toTell(options.database))
    // oxlint-disable-next-line no-await-in-loop -- requests of people come first
    await tell(options, person, ends).catch((error: unknown) => {
      // Too many wait: the next look tries again.
      if (!(error instanceof TooManyMails)) throw error;
    });
  options.post.wake();
}

/** Looks for what ends, every hour, until it is stopped. */
export function startEndingMails(options: Options): { stop(): Promise<void> } {
  const safely = () =>
    mailEndings(options).catch((err: unknown) =>
      options.log.warn({ err }, "owners were not told what ends soon"),
    );
  let running = safely();
  const timer = setInterval(() => (running = running.then(safely)), LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
