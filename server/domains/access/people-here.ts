import type { Caller } from "../../platform/access/caller";
import { personUid } from "../../platform/store/uids";
import type { Context } from "../../platform/standard/rules";

/** Only people who sign in here can be told apart: a machine's claims are whatever its issuer allows. */
export const isPersonHere = (
  { config }: Pick<Context, "config">,
  { issuer, subject, identities, pending }: Caller,
): boolean =>
  issuer === config.issuer &&
  subject !== "automation" &&
  (pending === true || identities.includes(personUid(issuer, subject)));
