import { subscriptions, type SubscriptionInput } from "platform-contract/events/subscriptions";

import { sinkProblem } from "../../sinks";
import { failedPrecondition } from "../../status";
import { countSubscriptions, subscriptionsTable } from "./subscriptions.table";
import { countAlone } from "../../platform/store/table";
import { handlerOf, type Handler } from "../../platform/standard/call";
import type { Change, Context, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";

/** Maximum subscriptions directly in one group: each write below it is sent to all of them. */
const MOST = 20;

async function beforeWrite(_context: Context, { queries, parent }: Change<SubscriptionInput>): Promise<void> {
  await countAlone(queries, parent);
  if ((await countSubscriptions(queries, parent)) < MOST) return;
  throw failedPrecondition([
    {
      type: "SUBSCRIPTION_LIMIT",
      description: `a group can have at most ${MOST} event subscriptions`,
      subject: parent,
    },
  ]);
}

const rules: Rules<SubscriptionInput> = {
  resource: subscriptions,
  table: subscriptionsTable,
  unique: {
    constraint: "subscriptions_once",
    by: ["sink"],
    field: "sink",
    sentence: "this group already sends its events to this sink",
  },
  beforeWrite,
};

/** Resolves the name before the transaction, which would block others in the meantime. */
const create =
  (context: Context): Handler =>
  async (call) => {
    const { sink } = call.body;
    const problem = typeof sink === "string" ? await sinkProblem(context.config, sink) : undefined;
    const violations = () => (problem === undefined ? [] : [{ field: "sink", description: problem }]);
    const handlers = standardHandlers(context, { ...rules, violations });
    return handlerOf(handlers, subscriptions.create.id)(call);
  };

export const subscriptionHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules).set(subscriptions.create.id, create(context));
