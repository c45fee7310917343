import { subscriptions, type SubscriptionInput } from "platform-contract/events/subscriptions";
import { storedWebAddress } from "platform-contract/web-address";

import { sinkProblem } from "../../sinks";
import { failedPrecondition } from "../../status";
import { subscriptionsTable } from "./subscriptions.table";
import { countAlone } from "../../platform/store/table";
import type { Handler } from "../../platform/standard/call";
import type { Change, Context, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";

/** Maximum subscriptions directly in one group: each write below it is sent to all of them. */
const MOST = 20;

async function beforeWrite(_context: Context, { queries, parent }: Change<SubscriptionInput>): Promise<void> {
  await countAlone(queries, parent);
  const rows = await queries.query("select 1 from subscriptions where parent = $1", [parent]);
  if (rows.length < MOST) return;
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
  columns: ({ sink }) => ({ sink: storedWebAddress(sink) }),
};

/** Resolves the name before the transaction, which would block others in the meantime. */
const create =
  (context: Context): Handler =>
  async (call) => {
    const { sink } = call.body;
    const problem = typeof sink === "string" ? await sinkProblem(context.config, sink) : undefined;
    const violations = () => (problem === undefined ? [] : [{ field: "sink", description: problem }]);
    const handlers = standardHandlers(context, { ...rules, violations });
    return (handlers.get(subscriptions.create.id) as Handler)(call);
  };

export const subscriptionHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules).set(subscriptions.create.id, create(context));
