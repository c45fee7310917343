import type { Identity } from "platform-contract/iam/identities";

/** The rule that names the issuer, if it names one exactly. */
const ruleOf = ({ claimMatch, staticKeys }: Identity): "claimMatch" | "staticKeys" | undefined =>
  claimMatch?.issuer ? "claimMatch" : staticKeys ? "staticKeys" : undefined;

export const issuerOf = ({ claimMatch, staticKeys }: Identity): string | undefined =>
  claimMatch?.issuer ?? staticKeys?.issuer;

/** Why the issuer of an identity cannot be exchanged for another, whatever the user's permissions. */
export function fixedIssuer(identity: Identity, issuer: string): string | undefined {
  if (ruleOf(identity) === undefined) return "Its sign-in rule doesn't name an issuer";
  return issuerOf(identity) === issuer ? "It already has this issuer" : undefined;
}

/** The only field that the change sends; the rest of the rule stays. */
export function issuerChange(identity: Identity, issuer: string) {
  const rule = ruleOf(identity) ?? "claimMatch";
  return {
    mask: [`${rule}.issuer`],
    before: { [rule]: { issuer: issuerOf(identity) } },
    body: { [rule]: { issuer } },
  };
}
