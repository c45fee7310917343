import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { identityUidOf } from "~/domains/access/grants/bindings";
import { takesEffect } from "~/domains/access/grants/no-effect";
import { capitalize } from "~/ui/display/capitalize";

import { countedWords, uncountedOf } from "./facts";
import classes from "./use.module.css";

interface CountedInProps {
  /** Of one identity or of several. */
  readonly bindings: readonly RoleBinding[];
  /** False if there are more. */
  readonly whole: boolean;
}

/** That "last used" leaves something out for an identity with roles in very many groups; nothing if it doesn't. */
export function CountedIn({ bindings, whole }: CountedInProps): ReactNode {
  const groups = new Map<string, string[]>();
  for (const binding of bindings.filter(takesEffect)) {
    const identity = identityUidOf(binding);
    groups.set(identity, [...(groups.get(identity) ?? []), parentOf(binding.uid)]);
  }
  const most = Math.max(0, ...[...groups.values()].map((each) => uncountedOf(each) ?? 0));
  if (most === 0) return null;
  return (
    <p className={classes["quiet"]}>
      {capitalize(countedWords(most))}
      {whole ? "" : " or more"}: a list that names no folder. Where it says “not since”, such lists may have
      used the role.
    </p>
  );
}
