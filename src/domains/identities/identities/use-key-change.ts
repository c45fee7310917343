import { useUpdate } from "~/api/mutations/writes";
import { ApiError } from "platform-client/errors";
import { identities, type Identity } from "platform-contract/iam/identities";

const MASK = ["staticKeys.issuerKeys"] as const;

/** The request that replaces an identity's document of keys. */
export const keyChange = (uid: string, issuerKeys: string) =>
  ({
    endpoint: identities.update,
    path: { uid },
    query: { updateMask: MASK.join(",") },
    body: { staticKeys: { issuerKeys } },
  }) as const;

/**
 * Returns a function that replaces an identity's document of keys. Rejects with an ApiError; if someone else has
 * changed the identity meanwhile, nothing is sent, and the record in the cache is the new one.
 */
export function useKeyChange(): (identity: Identity, issuerKeys: string) => Promise<Identity> {
  const update = useUpdate(identities);
  return async (identity, issuerKeys) => {
    // The other members of the rule are not in the mask, and stay.
    const body = { staticKeys: { issuerKeys } } as object;
    try {
      return await update.mutateAsync({ uid: identity.uid, opened: identity, mask: MASK, body });
    } catch (error) {
      if (!(error instanceof ApiError) || error.outcome !== "changed") throw error;
      throw new ApiError(
        "refused",
        "Someone else has changed this identity. Its keys are now as they left them. Press the button again to continue with those.",
        {
          outcome: "none",
        },
      );
    }
  };
}
