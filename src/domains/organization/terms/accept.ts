import { useMutation, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents } from "~/api/mutations/patch";
import { parentOf } from "platform-contract/aip";
import { acceptTerms } from "platform-contract/iam/terms";
import { toast } from "~/ui/feedback/toast-store";
import { formatQuantity } from "~/ui/display/numbers";

export interface Acceptable {
  /** The document's name, as used in acceptances. */
  readonly id: string;
  /** The document's uid; undefined if the user cannot see it. */
  readonly uid?: string | undefined;
}

/**
 * Accepts documents, each in its own group if the user is allowed to, otherwise in `group`. Safe to retry: accepting
 * again keeps the first acceptance.
 */
export function useAcceptTerms(group: string) {
  const client = useQueryClient();
  const refusal = useRefusal();
  const placeOf = ({ uid }: Acceptable): string => {
    const home = uid === undefined ? group : parentOf(uid);
    return refusal(acceptTerms, home) === undefined ? home : group;
  };
  const mutation = useMutation({
    mutationFn: async (documents: readonly Acceptable[]) => {
      const places = new Set(documents.map(placeOf));
      for (const place of places) {
        const documentIds = documents.filter((one) => placeOf(one) === place).map(({ id }) => id);
        await callOnce(acceptTerms, { path: { parent: place }, body: { documentIds } }, crypto.randomUUID());
      }
    },
    onSuccess: (_done, documents) => {
      invalidateDependents(client, ["termsAcceptances"]);
      toast(`Accepted ${formatQuantity(documents.length, "document", "documents")}`);
    },
  });
  return { ...mutation, placeOf, refusal: refusal(acceptTerms, group) };
}
