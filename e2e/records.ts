import type { Group } from "platform-contract/iam/groups";

import type { Api } from "./api";

/** Returns a uid, or that of a record, as addresses of the console write it: `_` for `/`. */
export const param = (of: string | { readonly uid: string }): string =>
  (typeof of === "string" ? of : of.uid).replaceAll("/", "_");

export const folder = (api: Api, parent: Group, name: string): Promise<Group> =>
  api.post<Group>(`/iam/v2/groups/${parent.uid}`, { name });
