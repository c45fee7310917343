import type { Client } from "platform-client";
import { ApiError } from "platform-client/errors";
import type { PlanStep } from "platform-client/plan/planned";
import { WRITTEN } from "platform-client/plan/settable";
import { VALIDATE_ONLY, type Endpoint } from "platform-contract/endpoint";

import { operation, type AnyKind } from "../records/kinds";

/** A step that the service would refuse, as it would say so. */
export interface RefusedStep {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly violations: readonly { readonly field: string; readonly description: string }[];
}

export interface Checked {
  readonly refused: readonly RefusedStep[];
  /** Ids of steps that need others before them: only then can the service say. */
  readonly unchecked: readonly string[];
}

/** Sends a step for checking alone. Only for services whose config.json has `validateOnly`: any other one would write. */
async function send(client: Client, step: PlanStep, signal: AbortSignal): Promise<void> {
  const { how, uid = "", parent, body, mask = [] } = step;
  const kind = (WRITTEN as unknown as Record<string, AnyKind>)[step.collection] as AnyKind;
  const only = { [VALIDATE_ONLY]: true };
  // The answer to a check is empty.
  const endpoint = { ...operation(kind, how), answer: undefined } as unknown as Endpoint<object, unknown>;
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
  const refused: RefusedStep[] = [];
  for (const step of steps.filter(({ needs }) => needs.length === 0))
    try {
      // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
      await send(client, step, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "refused" || error.passing || error.http === 401)
        throw error;
      const { code, message } = error;
      const violations = [
        ...error.violations.map(({ field, description }) => ({ field, description })),
        ...error.preconditions.map(({ type, description }) => ({ field: type, description })),
      ];
      refused.push({ id: step.id, code, message, violations });
    }
  return { refused, unchecked: steps.filter(({ needs }) => needs.length > 0).map(({ id }) => id) };
}
