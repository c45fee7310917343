import { uidToParam } from "~/features/scope/uid-param";
import type { Address } from "~/resource/list-search";
import type { LinkTarget } from "~/ui/layout/link";

/** What an address says of the tab of an identity. */
export interface EffectiveView {
  readonly tab?: "access" | undefined;
  /** The capability that groups are filtered by. */
  readonly can?: string | undefined;
}

/** Nothing on the other tab. */
export function readEffective({ tab, can }: Address): EffectiveView {
  if (tab !== "access") return {};
  return { tab, ...(typeof can === "string" && /^CAP_[A-Z_]+$/.test(can) && { can }) };
}

/** A tab of an identity; `can`: where it holds this capability. */
export const identityTab = (uid: string, tab?: "access", can?: string): LinkTarget => ({
  to: "/identities/$uid",
  params: { uid: uidToParam(uid) },
  ...(tab && { search: { tab, ...(can !== undefined && { can }) } }),
});
