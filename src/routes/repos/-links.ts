import { linkOptions } from "@tanstack/react-router";

import type { LinkTarget } from "~/kit/link";
import { uidToParam } from "~/parts/uid-param";

/** The page of one repo. */
export const detailOf = (uid: string) => linkOptions({ to: "/repos/$uid", params: { uid: uidToParam(uid) } });

/** The tags of a repo. */
export const tagsOf = (uid: string): LinkTarget => ({ to: "/tags", search: { repo: uidToParam(uid) } });

/** The page of a group. */
export const groupOf = (uid: string) => linkOptions({ to: "/groups/$uid", params: { uid: uidToParam(uid) } });
