import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { ApiError } from "~/api/errors";
import { useCreate, useUpdate } from "~/api/writes";
import { identities, type Identity, type IdentityInput } from "~/contract/iam/identities";
import { errorFacts, type ErrorFacts } from "~/kit/error-facts";

import { changesBetween } from "./-identity-changes";
import { findOutcome, isResend, type LostCreate } from "./-lost-create";

const PERHAPS_MADE = "It may have been created all the same: trying again looks first.";

/**
 * Creates an identity. After an answer that was lost, sending the same again first looks whether it had worked, so that
 * saving twice never makes two.
 */
export function useCreateIdentity(): (parent: string, body: IdentityInput) => Promise<Identity> {
  const client = useQueryClient();
  const { mutateAsync } = useCreate(identities);
  const lost = useRef<LostCreate>(undefined);
  return async (parent, body) => {
    const earlier = lost.current;
    const again = isResend(earlier, parent, body);
    const made = again ? await findOutcome(earlier) : undefined;
    if (made) {
      await client.invalidateQueries({ queryKey: [identities.collection] });
      return made;
    }
    try {
      return await mutateAsync({ parent, body });
    } catch (error) {
      const unanswered = error instanceof ApiError && error.kind !== "refused";
      lost.current = unanswered ? { parent, body, since: again ? earlier.since : Date.now() } : undefined;
      if (!unanswered) throw error;
      throw { ...errorFacts(error), message: `${error.message} ${PERHAPS_MADE}` } satisfies ErrorFacts;
    }
  };
}

/** Saves the fields in which the form differs from what it was opened with, and nothing else (rule 9). */
export function useSaveIdentity(): (
  uid: string,
  before: IdentityInput,
  after: IdentityInput,
) => Promise<Identity> {
  const { mutateAsync } = useUpdate(identities);
  return async (uid, before, after) => {
    const changes = changesBetween(before, after);
    if (changes.mask.length === 0) throw new Error("Nothing to save: no field was changed.");
    return mutateAsync({ uid, ...changes });
  };
}
