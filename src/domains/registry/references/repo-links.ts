import { linkOptions } from "@tanstack/react-router";

import { uidToParam } from "~/frame/scope/uid-param";

/** The page of a repo. */
export const repoPage = (uid: string) => linkOptions({ to: "/repos/$uid", params: { uid: uidToParam(uid) } });

/** The page of one tag. */
export const tagPage = (uid: string) => linkOptions({ to: "/tags/$uid", params: { uid: uidToParam(uid) } });

/** The tags of a repo; `search` filters them. */
export const repoTags = (uid: string, search: Readonly<Record<string, string>> = {}) =>
  linkOptions({ to: "/tags", search: { repo: uidToParam(uid), ...search } });

/** Who has access to a repo; `can`: only holders of this capability. */
export const repoAccess = (uid: string, can?: string) =>
  linkOptions({
    to: "/repos/$uid",
    params: { uid: uidToParam(uid) },
    search: { tab: "access", ...(can !== undefined && { can }) } as object,
  });
