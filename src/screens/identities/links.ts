import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/features/scope/uid-param";

/** The page of one identity. */
export const detailOf = (uid: string) =>
  linkOptions({ to: "/identities/$uid", params: { uid: uidToParam(uid) } });
