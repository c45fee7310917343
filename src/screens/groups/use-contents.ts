import { useQuery, useQueryClient } from "@tanstack/react-query";

import { useCan } from "~/access/use-can";
import { total } from "~/api/queries/queries";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { repos } from "~/contract/registry/repos";

import { CONTENT_KINDS, type ContentKind, type Contents } from "./contents";

export interface LiveContents {
  readonly contents: Contents;
  /** Whether an answer is still on its way. */
  readonly pending: boolean;
  /** Kinds without a count although every answer is there. */
  readonly uncounted: readonly ContentKind[];
  /** Counts anew. */
  readonly recount: () => Promise<void>;
}

/** What lies directly in a group: five requests for one row each, side by side. `fresh`: counted anew, whatever is known. */
export function useContents(uid: string, { fresh = false } = {}): LiveContents {
  const client = useQueryClient();
  const refetchOnMount = fresh ? ("always" as const) : true;
  const inside = { "uidp.children_of": uid };
  // An unscoped list answers "none" for what may not be seen (contract B7): that is not a count.
  const permitted = {
    folders: useCan(groups.list, uid).allowed,
    bindings: useCan(roleBindings.list, uid).allowed,
    identities: useCan(identities.list, uid).allowed,
    roles: useCan(roles.list, uid).allowed,
    repos: useCan(repos.list, uid).allowed,
  };
  const answers = {
    folders: useQuery({ ...total(groups.list, inside), refetchOnMount, enabled: permitted.folders }),
    bindings: useQuery({ ...total(roleBindings.list, inside), refetchOnMount, enabled: permitted.bindings }),
    identities: useQuery({
      ...total(identities.list, inside),
      refetchOnMount,
      enabled: permitted.identities,
    }),
    roles: useQuery({ ...total(roles.list, inside), refetchOnMount, enabled: permitted.roles }),
    repos: useQuery({ ...total(repos.list, inside), refetchOnMount, enabled: permitted.repos }),
  };
  const countOf = (kind: ContentKind) => (permitted[kind] ? answers[kind].data : undefined);
  const contents: Contents = {
    folders: countOf("folders"),
    bindings: countOf("bindings"),
    identities: countOf("identities"),
    roles: countOf("roles"),
    repos: countOf("repos"),
  };
  const pending = CONTENT_KINDS.some((kind) => answers[kind].isLoading);
  return {
    contents,
    pending,
    uncounted: pending ? [] : CONTENT_KINDS.filter((kind) => contents[kind] === undefined),
    recount: () =>
      Promise.all(
        [groups, roleBindings, identities, roles, repos].map(({ collection }) =>
          client.invalidateQueries({ queryKey: [collection, "total", inside] }),
        ),
      ).then(() => undefined),
  };
}
