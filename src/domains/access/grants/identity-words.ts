import type { Identity } from "platform-contract/iam/identities";
import { isPerson } from "~/frame/scope/people";
import { shorten } from "~/ui/display/shorten";

/** Returns the name of an identity in a list, and a note that distinguishes it from namesakes. */
export function identityWords(uid: string, identity: Identity | undefined): { name: string; note: string } {
  const { name, email, emailUnverified, claimMatch, staticKeys, description } = identity ?? {};
  const subject = claimMatch?.subject ?? staticKeys?.subject;
  const about = isPerson(uid) ? email || emailUnverified || subject : subject || description;
  const kind = isPerson(uid) ? "person" : "machine";
  return {
    name: name || shorten(uid),
    note: [kind, about].filter(Boolean).join(", "),
  };
}
