import { isRefusal } from "platform-client/errors";
import { operationOf } from "platform-client/plan/apply/carry-out";
import { planFileOf } from "platform-client/plan/plan";
import type { PlanFile } from "platform-client/plan/plan-file";
import type { PlanStep } from "platform-client/plan/planned";
import type { State } from "platform-client/plan/state";
import type { Contents } from "platform-client/snapshots/format";
import type { Endpoint } from "platform-contract/endpoint";

import { checkWrite } from "~/api/client/check-write";

/** Kinds that no plan changes, and that it need not read to be sure that nothing has moved. */
export const UNPLANNED = ["tags"] as const;

/** What would make the reality as the state says. Rejects with a StateProblem. */
export const planOf = (state: State, reality: Contents, service: string): Promise<PlanFile> =>
  planFileOf({
    // What wasn't read is not compared, like what the state doesn't have.
    state: { ...state, without: [...new Set([...state.without, ...UNPLANNED])] },
    reality: { ...reality, scope: state.scope },
    service,
  });

/** Why the user's roles don't allow steps, by their ids; a step in a group that isn't there yet is unknown. */
export function notAllowed(
  steps: readonly PlanStep[],
  refusal: (endpoint: Pick<Endpoint, "access">, at: string) => string | undefined,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const step of steps) {
    const at = step.how === "create" ? step.parent : step.uid;
    const reason = typeof at === "string" ? refusal(operationOf(step) as unknown as Endpoint, at) : undefined;
    if (reason !== undefined) found.set(step.id, reason);
  }
  return found;
}

/** The reason for which the service would refuse each step, of those that need no other one. Rejects with an ApiError. */
export async function checkSteps(
  steps: readonly PlanStep[],
  tell: (checked: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  let checked = 0;
  for (const step of steps) {
    const { how, uid = "", parent, body, mask = [] } = step;
    const endpoint = operationOf(step) as unknown as Endpoint;
    const path = how === "create" ? { parent: String(parent) } : { uid };
    const query = how === "update" ? { updateMask: mask.join(",") } : undefined;
    try {
      // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
      await checkWrite({ endpoint, path, query, body }, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.set(step.id, error.message);
    }
    checked += 1;
    tell(checked);
  }
  return refused;
}
