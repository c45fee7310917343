import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import { callOnce } from "~/api/mutations/call-once";
import type { Endpoint } from "platform-contract/endpoint";
import type { EligibleGrant } from "platform-contract/iam/eligible-grants";
import { toast } from "~/ui/feedback/toast-store";

import { refreshAll } from "./data";

/**
 * Carries out one operation on an eligible grant: a press that got no answer is the same one when it is pressed again.
 * @param done what happened, for the toast
 */
export function useDeed<Q, B extends object>(
  endpoint: Endpoint<Q, B, EligibleGrant>,
  done: (grant: EligibleGrant) => string,
  onDone?: () => void,
) {
  const client = useQueryClient();
  const press = useRef({ request: "", key: "" });
  return useMutation({
    mutationFn: async ({ uid, body }: { readonly uid: string; readonly body: B }) => {
      const request = JSON.stringify([uid, body]);
      if (press.current.request !== request) press.current = { request, key: crypto.randomUUID() };
      const { reason } = body as { readonly reason?: string };
      const answer = await callOnce(
        endpoint,
        { path: { uid }, body, justification: reason },
        press.current.key,
      );
      press.current = { request: "", key: "" };
      return answer;
    },
    onSuccess: (grant) => {
      toast(done(grant));
      onDone?.();
    },
    // Also if somebody else was first.
    onSettled: () => refreshAll(client),
  });
}
