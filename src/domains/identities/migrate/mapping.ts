import type { Identity } from "platform-contract/iam/identities";

import { fixed } from "./fixed";
import { toGitLab } from "./gitlab";
import { toOwner } from "./owner";
import { problem, type Mapping, type Proposal } from "./proposal";

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
