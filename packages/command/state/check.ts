import type { Client } from "platform-client";
import { isRefusal } from "platform-client/errors";
import { refusalOf, type StepRefused } from "platform-client/plan/apply";
import { operationOf } from "platform-client/plan/apply/carry-out";
import type { PlanStep } from "platform-client/plan/planned";
import { VALIDATE_ONLY, type Endpoint } from "platform-contract/endpoint";

export interface Checked {
  /** Steps that the service would refuse, as it would say so. */
  readonly refused: readonly ({ readonly id: string } & StepRefused)[];
  /** Ids of steps that need others before them: only then can the service say. */
  readonly unchecked: readonly string[];
}

/** Sends a step for checking alone. Only for services whose config.json has `validateOnly`: any other one would write. */
async function send(client: Client, step: PlanStep, signal: AbortSignal): Promise<void> {
  const { how, uid = "", parent, body, mask = [] } = step;
  const only = { [VALIDATE_ONLY]: true };
  // The answer to a check is empty.
  const endpoint = { ...operationOf(step), answer: undefined } as unknown as Endpoint<object, unknown>;
  const path = how === "create" ? { parent: String(parent) } : { uid };
  const query = how === "update" ? { ...only, updateMask: mask.join(",") } : only;
  await client.call(endpoint, { path, query, body, signal, repeatable: true });
}

/** Asks the service of each step that needs no other one whether it would refuse it. */
export async function checkSteps(
  client: Client,
  steps: readonly PlanStep[],
  signal: AbortSignal,
): Promise<Checked> {
  const refused: Checked["refused"][number][] = [];
  for (const step of steps.filter(({ needs }) => needs.length === 0))
    try {
      // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
      await send(client, step, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push({ id: step.id, ...refusalOf(error) });
    }
  return { refused, unchecked: steps.filter(({ needs }) => needs.length > 0).map(({ id }) => id) };
}
