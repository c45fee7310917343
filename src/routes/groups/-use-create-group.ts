import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { ApiError } from "~/api/errors";
import { affect, refreshDerived, refreshLists } from "~/api/patch";
import { useCreate } from "~/api/writes";
import { groups, type Group } from "~/contract/iam/groups";

import type { GroupValues } from "./-group-values";
import { findOutcome, isResend, type LostCreate } from "./-lost-create";

/**
 * Creates a group under a parent ("" for an organization). After an answer that was lost, sending the same again first
 * looks whether it had worked, so that saving twice never makes two.
 */
export function useCreateGroup(parent: string): (body: GroupValues) => Promise<Group> {
  const client = useQueryClient();
  const { mutateAsync } = useCreate(groups);
  const lost = useRef<LostCreate>(undefined);
  return async (body) => {
    const earlier = lost.current;
    if (isResend(earlier, parent, body)) {
      const made = await findOutcome(earlier);
      if (made) {
        const { collection, affects } = groups;
        refreshLists(client, collection, made.uid);
        void refreshDerived(client, collection);
        affect(client, affects);
        return made;
      }
    }
    const since = isResend(earlier, parent, body) ? earlier.since : Date.now();
    try {
      return await mutateAsync({ parent, body });
    } catch (error) {
      const unanswered = error instanceof ApiError && error.kind !== "refused";
      lost.current = unanswered ? { parent, body, since } : undefined;
      throw error;
    }
  };
}
