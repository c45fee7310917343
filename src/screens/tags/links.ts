import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/features/scope/uid-param";

/** Two tags side by side, or one and a place to name the other. */
export const compareOf = (a: string, b?: string) =>
  linkOptions({
    to: "/tags/compare",
    search: { a: uidToParam(a), b: b === undefined ? undefined : uidToParam(b) },
  });
