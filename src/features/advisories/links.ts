import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/features/scope/uid-param";

/** The page of one advisory. */
export const advisoryPage = (uid: string) =>
  linkOptions({ to: "/advisories/$uid", params: { uid: uidToParam(uid) } });

/** The page that shows whether a vulnerability affects anything in the scope. */
export const affectedBy = (id: string, version?: string) =>
  linkOptions({ to: "/affected", search: { id, ...(version && { version }) } });
