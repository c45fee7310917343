import type { Identity } from "platform-contract/iam/identities";
import { isClient, isPerson } from "~/frame/scope/people";
import { issuerOf } from "~/domains/identities/identities/change-issuer";

/** Why an identity can't move, whatever the mapping; undefined if it can. */
export function fixed(identity: Identity): string | undefined {
  if (isPerson(identity.uid)) return "People move with their identity provider";
  if (isClient(identity)) return "Clients of the service have no rule of their own";
  if (identity.awsIdentity) return "It signs in with AWS, whose rules have no issuer";
  if (identity.servicePrincipal !== undefined) return "It is a service of the platform";
  if (identity.claimMatch?.issuerPattern !== undefined)
    return "Its rule has a pattern for the issuer. Change it by hand";
  return issuerOf(identity) === undefined ? "This console doesn't know its type" : undefined;
}
