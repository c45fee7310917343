import { uidToParam } from "~/frame/scope/uid-param";
import type { Address } from "~/frame/scope/address";
import type { LinkTarget } from "~/ui/layout/link";

/** Search parameters of an identity's page that select its tab. */
export interface EffectiveView {
  readonly tab?: "access" | undefined;
  /** Filters groups by this capability. */
  readonly can?: string | undefined;
}

/** Returns {} for the default tab, which has no filter. */
export function readEffective({ tab, can }: Address): EffectiveView {
  if (tab !== "access") return {};
  return { tab, ...(typeof can === "string" && /^CAP_[A-Z_]+$/.test(can) && { can }) };
}

/** Links to a tab of an identity. `can` filters the groups by capability. */
export const identityTab = (uid: string, tab?: "access", can?: string): LinkTarget => ({
  to: "/identities/$uid",
  params: { uid: uidToParam(uid) },
  ...(tab && { search: { tab, ...(can !== undefined && { can }) } }),
});
