import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/parts/uid-param";

/** The page of a group. */
export const groupOf = (uid: string) => linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) } });
