import type { QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { byUids } from "~/api/queries/by-uids";
import { isWithin } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { roles } from "platform-contract/iam/roles";
import type { Kind } from "platform-contract/kind";

import { readContents } from "../teardown/read";

/** Everything below a folder, and the roles of other places that are granted in it. Rejects with an ApiError. */
export const contentsQuery = (
  client: QueryClient,
  folder: string,
  canList: (kind: Kind) => boolean,
  tell: (read: number) => void,
) => ({
  queryKey: ["move", folder] as const,
  retry: false,
  gcTime: 0,
  refetchOnWindowFocus: false,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const contents = await readContents([folder], canList, {
      signal,
      retryPolicy: retryPolicyOf(client),
      tell,
    });
    const granted = (contents.rows["roleBindings"] ?? []).flatMap(
      ({ roleUid, role }) => roleUid ?? role?.uid ?? [],
    );
    const elsewhere = granted.filter((uid) => !isWithin(uid, folder));
    return { contents, roles: await byUids(roles.list, elsewhere, signal) };
  },
});

/** The folder by the same name that is in another group already, if the caller can see one. */
export const namesakeQuery = (to: string, { name }: Pick<Group, "name">) => ({
  queryKey: [groups.collection, "namesake", to, name] as const,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { "uidp.children_of": to, name, page_size: 1 };
    return (await call(groups.list, { query, signal })).items.length > 0;
  },
});
