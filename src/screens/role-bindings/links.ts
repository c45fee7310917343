import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/features/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

/** The page of one role binding. */
export const bindingPage = (uid: string): LinkTarget =>
  linkOptions({ to: "/role-bindings/$uid", params: { uid: uidToParam(uid) } });

/** Who has access to a group. */
export const accessPage = (group: string): LinkTarget => ({
  to: "/groups/$uid",
  params: { uid: uidToParam(group) },
  search: { tab: "access" },
});

interface Wanted {
  readonly identity?: string | undefined;
  readonly role?: string | undefined;
  readonly group?: string | undefined;
}

/** The form that grants access, with these uids filled in. */
export const grantLink = (wanted: Wanted): LinkTarget => ({
  to: "/role-bindings",
  search: {
    drawer: "create",
    ...Object.fromEntries(
      Object.entries(wanted).flatMap(([name, uid]) => (uid === undefined ? [] : [[name, uidToParam(uid)]])),
    ),
  },
});
