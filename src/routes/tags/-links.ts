import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/parts/uid-param";

/** The page of one tag. */
export const detailOf = (uid: string) => linkOptions({ to: "/tags/$uid", params: { uid: uidToParam(uid) } });

/** Two tags side by side, or one and a place to name the other. */
export const compareOf = (a: string, b?: string) =>
  linkOptions({
    to: "/tags/compare",
    search: { a: uidToParam(a), b: b === undefined ? undefined : uidToParam(b) },
  });
