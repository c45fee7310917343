import type { ReactNode } from "react";

import type { AuditEntry } from "platform-contract/audit/entries";
import { identityLink } from "~/frame/record/identity-link";
import { AppLink } from "~/ui/layout/link";

import { actorWords, byWords } from "./who";
import { recordLink } from "~/frame/scope/record-link";

interface ActorProps {
  readonly of: AuditEntry;
  /** After "by" in a sentence. */
  readonly within?: boolean;
}

/** Who did it, as a link to their page. */
export function Actor({ of: entry, within = false }: ActorProps): ReactNode {
  const uid = entry.actor?.uid;
  const name = <bdi>{within ? byWords(entry) : actorWords(entry)}</bdi>;
  // A directory acts as its identity provider.
  const target =
    uid && entry.action.startsWith("scim.") ? recordLink({ kind: "identityProviders", uid }) : undefined;
  return uid ? <AppLink target={target ?? identityLink(uid)}>{name}</AppLink> : name;
}
