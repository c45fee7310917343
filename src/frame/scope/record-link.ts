import { parentOf } from "platform-contract/aip";
import { kindOf, everyKind, listPath } from "platform-contract/kinds";
import type { LinkTarget } from "~/ui/layout/link";

import { uidToParam } from "./uid-param";

/** The page of a record; undefined for kinds without pages, and for what isn't there. */
export function recordLink({
  kind,
  uid,
}: {
  readonly kind: string;
  readonly uid: string;
}): LinkTarget | undefined {
  if (uid === "") return undefined;
  const shown = everyKind.find(({ collection, screens }) => screens && collection === kind);
  if (shown) return { to: `${listPath(kind)}/$uid`, params: { uid: uidToParam(uid) } };
  // A mapping is on the page of its provider.
  const above = kindOf(kind)?.parent;
  return above === undefined || above === "groups"
    ? undefined
    : recordLink({ kind: above, uid: parentOf(uid) });
}
