import { useMutation, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "~/access/use-can";
import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { parentOf } from "~/contract/aip";
import { acceptTerms } from "~/contract/iam/terms";
import { toast } from "~/ui/feedback/toast-store";
import { formatQuantity } from "~/ui/display/numbers";

export interface Acceptable {
  /** Its name, as acceptances have it. */
  readonly id: string;
  /** Of the document; undefined where the caller cannot see it. */
  readonly uid?: string | undefined;
}

/**
 * Accepts documents, each for the group that it belongs to where the person may do that, else for `group` alone. Accepting
 * twice keeps the first, so that it can be sent again.
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
        await call(acceptTerms, { path: { parent: place }, body: { documentIds } });
      }
    },
    onSuccess: (_done, documents) => {
      invalidateDependents(client, ["termsAcceptances"]);
      toast(`Accepted ${formatQuantity(documents.length, "document", "documents")}`);
    },
  });
  return { ...mutation, refusal: refusal(acceptTerms, group) };
}
