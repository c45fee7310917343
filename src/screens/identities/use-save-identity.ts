import { useUpdate } from "~/api/mutations/writes";
import { identities, type Identity, type IdentityInput } from "~/contract/iam/identities";

import { NothingToSave } from "~/ui/form/nothing-to-save";

import { changesBetween } from "./changes";

/** Saves the fields in which the form differs from what it was opened with, and nothing else (rule 9). */
export function useSaveIdentity(): (
  opened: Identity,
  before: IdentityInput,
  after: IdentityInput,
) => Promise<Identity> {
  const { mutateAsync } = useUpdate(identities);
  return async (opened, before, after) => {
    const changes = changesBetween(before, after);
    if (changes.mask.length === 0) throw new NothingToSave();
    return mutateAsync({ uid: opened.uid, opened, ...changes });
  };
}
