import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/frame/scope/uid-param";
import { isUidParam, readDrawer, type Address } from "~/frame/scope/address";
import { CAPABILITY_NAMES, PULL, PUSH } from "platform-contract/capability";
import type { LinkTarget } from "~/ui/layout/link";

/** Links to the page of a role binding. */
export const bindingPage = (uid: string): LinkTarget =>
  linkOptions({ to: "/role-bindings/$uid", params: { uid: uidToParam(uid) } });

/** Links to the tab that shows who has access to a group, or who of them has one capability. */
export const accessPage = (group: string, can?: string): LinkTarget => ({
  to: "/groups/$uid",
  params: { uid: uidToParam(group) },
  search: { tab: "access", ...(can !== undefined && { can }) },
});

/** Search parameters of the access tab of a group or a repo. */
export interface AccessView {
  readonly drawer?: string | undefined;
  readonly tab?: "access" | undefined;
  /** uid of the open drawer's role binding, with `_` for `/`. */
  readonly item?: string | undefined;
  /** Filters identities by this capability. */
  readonly can?: string | undefined;
}

/** Reads these from the address; undefined on any other tab. */
export function readAccess(address: Address): AccessView | undefined {
  if (address["tab"] !== "access") return undefined;
  const { item, can } = address;
  const opened = readDrawer(address, ["grant", "change-role", "remove-access"]);
  return {
    tab: "access",
    ...opened,
    ...(opened.drawer !== undefined && isUidParam(item) && { item }),
    ...(typeof can === "string" && (can in CAPABILITY_NAMES || can === PULL || can === PUSH) && { can }),
  };
}

interface Wanted {
  readonly identity?: string | undefined;
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}

/** Links to the form that grants access, with these uids filled in. */
export const grantLink = (wanted: Wanted): LinkTarget => ({
  to: "/role-bindings",
  search: {
    drawer: "create",
    ...Object.fromEntries(
      Object.entries(wanted).flatMap(([name, uid]) => (uid === undefined ? [] : [[name, uidToParam(uid)]])),
    ),
  },
});

/** Links to the form that creates an invite to a group. */
export const inviteInto = (group: string): LinkTarget => ({
  to: "/group-invites",
  search: { group: uidToParam(group), drawer: "create" },
});

/** Links to the form that creates an identity in a group, with the name and the sign-in rule of another one, and with a role. */
export const createIdentityIn = (group: string, like?: string, role?: string): LinkTarget => ({
  to: "/identities",
  search: {
    group: uidToParam(group),
    drawer: "create",
    ...(like !== undefined && { item: uidToParam(like) }),
    ...(role !== undefined && { role: uidToParam(role) }),
  },
});
