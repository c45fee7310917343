import { REVIEWS } from "platform-contract/iam/access-reviews";

import type { Log } from "../../log";
import { holdsAll } from "../../platform/access/caller";
import { grantsOf } from "../../platform/access/grants";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { Failure } from "../../status";
import { dueToRepeat, identityName, noteNotRepeated, takeRepeat } from "./reviews.table";
import { startReview } from "./take";

const [LIST] = REVIEWS;

interface Options {
  readonly database: Database;
  readonly log: Pick<Log, "warn">;
}

/** The same title, with the day on which this one starts in place of that of the one before. */
const titleOn = (title: string, day: string): string =>
  /\d{4}-\d{2}-\d{2}/.test(title) ? title.replace(/\d{4}-\d{2}-\d{2}/, day) : title;

/** Starts the next review after one, in the transaction that takes the turn: once, whatever is killed. */
async function startNext({ database, log }: Options, uid: string): Promise<void> {
  await database.transaction(async (queries) => {
    const last = await takeRepeat(queries, uid);
    if (!last) return;
    const { parent: group, maker_uid: maker } = last;
    const grants = await grantsOf(queries, [maker]);
    if (!holdsAll({ grants }, REVIEWS, group)) {
      const why = "Whoever made this review can no longer list and remove role bindings here";
      log.warn({ review: uid }, "an access review did not start again: its maker has lost the rights");
      await noteNotRepeated(queries, uid, why);
      return;
    }
    await startReview(queries, {
      group,
      title: titleOn(last.title, now().toISOString().slice(0, 10)),
      due: new Date(now().getTime() + Math.max(0, last.due_at.getTime() - last.created_at.getTime())),
      quarterly: true,
      rule: last.reviewer_rule,
      named: last.reviewer_uids,
      asksMachineOwners: last.asks_machine_owners,
      maker: { uid: maker, name: await identityName(queries, maker) },
      sees: (above) => holdsAll({ grants }, [LIST], above),
    });
  });
}

/** Starts every review that is due to start again. */
export async function startQuarterly(options: Options): Promise<void> {
  const { database, log } = options;
  for (const { uid } of await dueToRepeat(database))
    try {
      // oxlint-disable-next-line no-await-in-loop -- requests of people come first
      await startNext(options, uid);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.warn({ err: error, review: uid }, "an access review did not start again");
      // oxlint-disable-next-line no-await-in-loop
      await database.transaction(async (queries) => {
        if (await takeRepeat(queries, uid)) await noteNotRepeated(queries, uid, error.message);
      });
    }
}
