import { useUpdate } from "~/api/writes";
import { identities, type Identity, type IdentityInput } from "~/contract/iam/identities";

import { changesBetween } from "./-identity-changes";

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
