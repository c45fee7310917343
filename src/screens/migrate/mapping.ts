import type { Identity } from "~/contract/iam/identities";
import { isPerson } from "~/contract/iam/people";
import { isClient } from "~/features/identities/words";
import { issuerOf } from "~/screens/identities/change-issuer";

import { toGitLab } from "./gitlab";
import { toOwner } from "./owner";
import { problem, type Mapping, type Proposal } from "./proposal";

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

function toIssuer({ claimMatch, staticKeys }: Identity, { newIssuer }: Mapping): Proposal {
  const issuer = newIssuer.trim();
  if (claimMatch) return { rule: { claimMatch: { ...claimMatch, issuer } }, notes: [] };
  if (!staticKeys) return problem("Its rule doesn't name an issuer");
  if (Date.parse(staticKeys.expirationTime ?? "") <= Date.now()) return problem("Its keys have expired");
  return {
    rule: { staticKeys: { ...staticKeys, issuer } },
    notes: ["It has the same keys: whoever holds their private half can sign in as both."],
  };
}

const PROPOSE = { gitlab: toGitLab, owner: toOwner, issuer: toIssuer };

/** The rule that an identity would have after the move. */
export function propose(identity: Identity, mapping: Mapping): Proposal {
  const why = fixed(identity);
  return why === undefined ? PROPOSE[mapping.move](identity, mapping) : problem(why);
}
