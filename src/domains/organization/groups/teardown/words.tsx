import type { ReactNode } from "react";

import { kindOf } from "~/frame/scope/group-words";
import { formatCount } from "~/ui/display/numbers";

export interface Named {
  readonly uid: string;
  readonly name: string;
}

/** What the groups are called: "folder team", "3 folders"; "groups" only if both kinds are among them. */
export function wordsOf(groups: readonly Named[]): { readonly kind: string; readonly what: ReactNode } {
  const [first, second] = groups;
  const kinds = new Set(groups.map(({ uid }) => kindOf(uid)));
  if (second) {
    const kind = kinds.size > 1 ? "groups" : `${[...kinds].join("")}s`;
    return { kind, what: `${formatCount(groups.length)} ${kind}` };
  }
  const kind = [...kinds].join("");
  return {
    kind,
    what: (
      <>
        {kind} <bdi>{first?.name}</bdi>
      </>
    ),
  };
}
