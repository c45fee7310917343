import { uidToParam } from "~/frame/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

/** Links to the page of an identity. */
export const identityLink = (uid: string): LinkTarget => ({
  to: "/identities/$uid",
  params: { uid: uidToParam(uid) },
});
