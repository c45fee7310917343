import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { getRetentionRule, type RetentionRule } from "platform-contract/registry/retention";

/** The rule that decides at a group or repo: its own, or the nearest above. */
export const effectiveRule = (place: string) =>
  queryOptions({
    queryKey: [getRetentionRule.collection, getRetentionRule.verb, place] as const,
    meta: {
      requests: () => [{ endpoint: getRetentionRule, path: { uid: place } }],
    } satisfies QueryFacts,
    queryFn: ({ signal }) => call(getRetentionRule, { path: { uid: place }, signal }),
  });

const STATES: Readonly<
  Record<string, { readonly word: string; readonly tone: "success" | "warning" | "neutral" }>
> = {
  RETENTION_STATE_UNCONFIRMED: { word: "Waits for a confirmed preview", tone: "warning" },
  RETENTION_STATE_RUNNING: { word: "Runs daily", tone: "success" },
  RETENTION_STATE_OFF: { word: "Stopped", tone: "neutral" },
};

export const stateOf = ({ state = "" }: Pick<RetentionRule, "state">) =>
  STATES[state] ?? { word: state, tone: "neutral" as const };
