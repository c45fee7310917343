import type { QueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { carryOut, MovedError, type StepDone } from "platform-client/plan/apply/carry-out";
import type { PlanStep } from "platform-client/plan/planned";
import { kindIn } from "platform-client/snapshots/format";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import type { Endpoint } from "platform-contract/endpoint";

import { call, keepsIdempotencyKeys } from "../client/client";
import { invalidateDependents } from "../mutations/patch";
import { allPages } from "../queries/all-pages";
import type { BulkWork, JobTarget } from "./bulk-job";
import type { JobPlan } from "./storage";

/** A step of a plan; its uid is the step's id. */
export interface StepToApply extends JobTarget {
  readonly step: PlanStep;
}

export interface ApplicationData {
  /** Random: the requests' keys are made of it, so that each of them is carried out once. */
  readonly run: string;
}

const DOING = { create: "Create", update: "Change", delete: "Delete" } as const;

export const stepToApply = (step: PlanStep): StepToApply => ({
  uid: step.id,
  name: `${DOING[step.how]} ${kindIn(step.collection).noun} ${step.path}`,
  step,
});

/** The name of its action. */
export const APPLY = "apply";

export const applicationPlan = (data: ApplicationData, of: string, by: string): JobPlan => ({
  action: APPLY,
  data,
  words: { doing: "Applying", done: "Done", one: "step", many: "steps", of: `plan of ${of}`, by },
});

const refused = (message: string): ApiError => new ApiError("refused", message, { outcome: "none" });

async function* rowsOf<T>(list: Endpoint<ListQuery, undefined, ListAnswer<T>>, { query = {} } = {}) {
  yield* await allPages(list, query);
}

/**
 * Carries out the steps of a plan in their order, as `platform apply` does: what needs a step that isn't done is not tried, and a
 * record that somebody else changed since is left as it is.
 */
export function planApplication(
  client: QueryClient,
  { run }: ApplicationData,
  justification?: string,
): BulkWork<StepToApply> {
  /** Steps that a reload interrupted: they may have been done. */
  const repeated = new Set<string>();
  const given = new Map();
  const touched = new Set<string>();
  return {
    concurrency: 1,
    async send({ step }, items) {
      const steps = new Map(items.map((item) => [item.uid, item.step]));
      const done = new Map<string, StepDone>();
      for (const { uid, state, newUid, step } of items)
        if (state === "done") done.set(uid, { uid: newUid ?? step.uid ?? "" });
      const needed = step.needs.find((id) => !done.has(id));
      if (needed !== undefined) throw refused(`Not tried, since it needs “${needed}”.`);
      touched.add(step.collection);
      const { signal } = new AbortController();
      const facts = { client: { call, items: rowsOf }, run, justification, signal, done, steps, given };
      try {
        const isRepeated = repeated.has(step.id) || !keepsIdempotencyKeys();
        const { uid, found } = await carryOut(step, isRepeated, facts);
        return {
          ...(step.how === "create" && { newUid: uid }),
          ...(found && { reason: "It was so already." }),
        };
      } catch (error) {
        if (error instanceof MovedError) throw refused(`Left as it is: ${error.message}.`);
        throw error;
      }
    },
    // Sent again, it is found.
    wasDone({ uid }) {
      repeated.add(uid);
      return Promise.resolve(false);
    },
    onDone: () => undefined,
    onIdle: () => invalidateDependents(client, [...touched]),
  };
}
