import { ENDING_TYPE } from "platform-contract/events/event-types";

import type { Config } from "../../config";
import { dueDays, duePages, LATE_MS, storeTold, toldUntil } from "../../domains/notices/endings.table";
import { withoutUnset } from "../standard/values";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import type { NewEvent } from "./changes";
import type { Stored } from "./dispatcher";
import { storeEvents } from "./outbox";

interface Options {
  readonly config: Config;
  readonly database: Database;
  /** Call when deliveries have been stored. */
  readonly wake: (stored: readonly Stored[]) => void;
}

/** Sends subscriptions an event for each end that is 30 days, 7 days or one day away since the last time. */
export async function sendEndings({ config, database, wake }: Options): Promise<void> {
  const before = await toldUntil(database);
  const until = now();
  const after = new Date(Math.max(before.getTime(), until.getTime() - LATE_MS));
  const events: NewEvent[] = [];
  for await (const due of duePages(database, after, until))
    // A review waits for each of its reviewers, and does not end.
    for (const one of due.filter(({ topic }) => topic !== "NOTICE_TOPIC_REVIEWS"))
      events.push({
        type: ENDING_TYPE,
        subject: one.uid,
        body: withoutUnset({
          topic: one.topic,
          uid: one.uid,
          name: one.name,
          identityName: one.identity_name ?? undefined,
          groupUid: one.parent,
          groupName: one.group_name,
          endTime: one.ends.toISOString(),
          days: dueDays(one, after, until),
        }),
      });
  const stored = await database.transaction(async (queries) =>
    // Two processes read the same: the first stores it.
    (await storeTold(queries, before, until)) ? storeEvents(queries, config, events) : [],
  );
  if (stored.length > 0) wake(stored);
}
