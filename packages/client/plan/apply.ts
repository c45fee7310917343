import type { Client } from "../client";
import { isRefusal, type ApiError } from "../errors";
import type { Contents } from "../snapshots/format";
import { carryOut, MovedError, type StepDone } from "./apply/carry-out";
import { ownLast } from "./apply/own-last";
import { digestOf } from "./digest";
import type { PlanFile } from "./plan-file";
import type { PlanStep } from "./planned";
import { checkPaths } from "./shown";

/** A step that the service refused, as it said so. */
export interface StepRefused {
  readonly code: string;
  readonly message: string;
  readonly violations: readonly { readonly field: string; readonly description: string }[];
}

/** What a service said when it refused. */
export const refusalOf = ({ code, message, violations, preconditions }: ApiError): StepRefused => ({
  code,
  message,
  violations: [
    ...violations.map(({ field, description }) => ({ field, description })),
    ...preconditions.map(({ type, description }) => ({ field: type, description })),
  ],
});

/**
 * What is told of a step, in this order: `begun`, before its request is sent, then what came of it. `waits` comes alone: a step that it
 * needs was refused. After `moved` the run ends: the record is not what the plan was made from.
 */
export type StepReport =
  | { readonly as: "begun" }
  | ({ readonly as: "done" } & StepDone)
  | ({ readonly as: "refused" } & StepRefused)
  | { readonly as: "waits"; readonly for: string }
  | { readonly as: "moved"; readonly why: string };

/** What is known of a plan that somebody began to carry out. */
export interface Run {
  /** Random: the requests' keys are made of it, so that each of them is carried out once. */
  readonly id: string;
  /** Steps that were begun, with the time of the first try in ms. */
  readonly begun: ReadonlyMap<string, number>;
  readonly done: ReadonlyMap<string, StepDone>;
}
export const newRun = (): Run => ({ id: crypto.randomUUID(), begun: new Map(), done: new Map() });

/** How long a service is trusted to know a key again: this project's service keeps them for 24 hours. */
const KEYS_KEPT_MS = 23 * 3_600_000;

export interface Application {
  readonly client: Pick<Client, "call" | "items">;
  /** The service has idempotency keys (config.json says so). */
  readonly idempotencyKeys: boolean;
  readonly plan: PlanFile;
  /** What is there now in the scope of the plan; `records` are empty for an organization that isn't there. */
  readonly reality: Contents;
  /** Why, if the service keeps that. */
  readonly justification?: string | undefined;
  /** uid of the caller's identity, if it is known: what takes their own rights away comes last. */
  readonly self?: string | undefined;
  readonly run: Run;
  /** Is waited for: whoever keeps what it is told can go on after any end. */
  report(step: PlanStep, what: StepReport): Promise<void> | void;
  readonly signal: AbortSignal;
}

export interface Applied {
  readonly done: ReadonlyMap<string, StepDone>;
  readonly refused: ReadonlyMap<string, StepRefused>;
  /** Not tried, since a step that they need was refused: by their ids, that step. */
  readonly waiting: ReadonlyMap<string, string>;
  /** The step at which the run ended, and why. */
  readonly moved: { readonly step: PlanStep; readonly why: string } | undefined;
}

/** What is there is not what the plan was made from: nothing was done. */
export class StalePlanError extends Error {}

/** The order in which the steps of a plan are carried out: its own, less what takes the caller's rights away. */
export const orderOf = ({ plan, reality, self }: Pick<Application, "plan" | "reality" | "self">) =>
  ownLast(plan.steps, reality, self);

/**
 * Carries out the steps of a plan, one after the other. Rejects with a StalePlanError, before the first write, if the reality is
 * another than that of the plan; with a StateProblem if the plan shows other paths than it has; with an ApiError if the service can't be reached (what was told until then stays true, and the run can
 * be continued); with the reason of an aborted `signal`.
 */
export async function applyPlan(application: Application): Promise<Applied> {
  const { client, idempotencyKeys, plan, reality, run, report, signal, justification } = application;
  // A run that has begun has moved it itself: each step looks at its own record.
  if (run.begun.size === 0) {
    if ((await digestOf(reality.records)) !== plan.reality)
      throw new StalePlanError("What is there has changed since the plan was made. Make a new plan.");
    checkPaths(plan, reality);
  }
  const done = new Map(run.done);
  const refused = new Map<string, StepRefused>();
  const waiting = new Map<string, string>();
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const facts = { client, run: run.id, signal, justification, done, steps, given: new Map() };
  const isLost = (id: string): boolean => {
    const begun = run.begun.get(id);
    return begun !== undefined && (!idempotencyKeys || Date.now() - begun > KEYS_KEPT_MS);
  };
  for (const step of orderOf(application)) {
    if (done.has(step.id)) continue;
    signal.throwIfAborted();
    const needed = step.needs.find((id) => !done.has(id));
    if (needed !== undefined) {
      waiting.set(step.id, needed);
      // oxlint-disable-next-line no-await-in-loop -- step by step, each told before the next
      await report(step, { as: "waits", for: needed });
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop
    await report(step, { as: "begun" });
    try {
      // oxlint-disable-next-line no-await-in-loop
      const what = await carryOut(step, isLost(step.id), facts);
      done.set(step.id, what);
      // oxlint-disable-next-line no-await-in-loop
      await report(step, { as: "done", ...what });
    } catch (error) {
      if (error instanceof MovedError) {
        // oxlint-disable-next-line no-await-in-loop
        await report(step, { as: "moved", why: error.message });
        return { done, refused, waiting, moved: { step, why: error.message } };
      }
      if (!isRefusal(error)) throw error;
      const said = refusalOf(error);
      refused.set(step.id, said);
      // oxlint-disable-next-line no-await-in-loop
      await report(step, { as: "refused", ...said });
    }
  }
  return { done, refused, waiting, moved: undefined };
}
