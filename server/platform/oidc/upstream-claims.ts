import { fetchUserInfo, type Configuration, type IDToken } from "openid-client";

import type { Provider } from "../../domains/federation/identity-providers.table";
import type { UpstreamPerson } from "./upstream-accounts";
import { UpstreamFailure } from "./upstream-client";

type Claims = Readonly<Record<string, unknown>>;

const SUBJECT_BYTES = 1_000;
/** Characters of an email. */
export const EMAIL_LENGTH = 254;

/** Converts to a single line that the database can store. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value.replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ").trim() : "";

/** Converts a list of strings or a single string, as which some issuers write a single group. */
const asGroups = (value: unknown): string[] => [
  ...new Set([value].flat().filter((one): one is string => typeof one === "string" && !one.includes("\0"))),
];

/** True if an issuer omitted a claim because of its size and refers to another endpoint (OIDC Core 5.6.2). */
const isElsewhere = (claims: Claims, claim: string): boolean =>
  Object.hasOwn(Object(claims["_claim_names"]), claim);

/** Returns the person of an ID token, completed from userinfo if claims are missing. Throws an UpstreamFailure. */
export async function personOf(
  client: Configuration,
  provider: Provider,
  token: IDToken,
  accessToken: string,
): Promise<UpstreamPerson> {
  const { groupsClaim: claim = "", additionalScopes = [] } = provider.oidc;
  const { sub: subject } = token;
  if (subject === "" || subject.includes("\0") || Buffer.byteLength(subject) > SUBJECT_BYTES)
    throw new UpstreamFailure(provider, `${provider.name} sent an account id that can't be used.`);
  const wanted = [
    ...(claim ? [claim] : []),
    ...(additionalScopes.includes("email") ? ["email"] : []),
    ...(additionalScopes.includes("profile") ? ["name"] : []),
  ];
  let claims: Claims = token;
  const asks = wanted.some((name) => claims[name] === undefined);
  if (asks && client.serverMetadata().userinfo_endpoint !== undefined)
    try {
      claims = { ...(await fetchUserInfo(client, accessToken, subject)), ...token };
    } catch (error) {
      // Without it we cannot know which groups the person has left.
      throw new UpstreamFailure(
        provider,
        `${provider.name} didn't return your profile (userinfo). Try again in a moment.`,
        error,
      );
    }
  if (claim && claims[claim] === undefined && isElsewhere(claims, claim))
    throw new UpstreamFailure(
      provider,
      `${provider.name} left out your groups because there are too many. Ask an administrator to limit the groups it sends.`,
    );
  const email = asText(claims["email"]);
  const { oid } = token;
  const isObjectId =
    typeof oid === "string" && oid !== "" && !oid.includes("\0") && oid.length <= SUBJECT_BYTES;
  return {
    subject,
    ...(isObjectId && { objectId: oid }),
    email: email.length > EMAIL_LENGTH ? "" : email,
    emailVerified: claims["email_verified"] === true,
    name: asText(claims["name"]) || asText(claims["preferred_username"]),
    groups: claim ? asGroups(claims[claim]) : [],
  };
}
