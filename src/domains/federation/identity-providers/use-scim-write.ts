import { useMutation, useQueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { Endpoint } from "platform-contract/endpoint";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";

/** One change of a provider's SCIM settings. Whatever comes of it, the record is read again: it has a new etag. */
export function useScimWrite<Body, Answer>(
  endpoint: Endpoint<object, Body, Answer>,
  { uid }: IdentityProvider,
  onDone: (answer: Answer) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => call(endpoint, { path: { uid }, body }),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ["identityProviders"] }),
    // The answer can hold a token.
    gcTime: 0,
  });
}
