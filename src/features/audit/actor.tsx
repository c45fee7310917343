import type { ReactNode } from "react";

import type { AuditEntry } from "~/contract/audit/entries";
import { AppLink } from "~/ui/layout/link";

import { actorWords, identityLink } from "./words";

/** Who did it, as a link to their page. */
export function Actor({ of: entry }: { readonly of: AuditEntry }): ReactNode {
  const uid = entry.actor?.uid;
  const name = <bdi>{actorWords(entry)}</bdi>;
  return uid ? <AppLink target={identityLink(uid)}>{name}</AppLink> : name;
}
