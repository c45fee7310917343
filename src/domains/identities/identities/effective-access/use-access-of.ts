import { useInfiniteQuery } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { roleBindings, roleUidOf } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { heldAt } from "~/domains/access/grants/roles";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useSight } from "~/frame/scope/use-sight";

import { accessOf } from "./effective";

const heldBy = (identity: string) =>
  infinite(
    roleBindings.list,
    { identity, order_by: "created_at desc", page_size: PAGE_SIZE_MAX },
    { maxPages: Infinity },
  );
const rolesOf = (uids: readonly string[]) =>
  infinite(roles.list, { "uidp.ids": [...uids], page_size: PAGE_SIZE_MAX });

/** What an identity can do in each group, as far as the user sees its role bindings and their roles. */
export function useAccessOf(uid: string) {
  const home = parentOf(uid);
  const who = useCurrentUser();
  const bindings = useInfiniteQuery(heldBy(uid));
  const { rows } = rowsOf(bindings.data);
  const sight = useSight(roleBindings.list, home || undefined, rows.length === 0);
  const roleUids = [...new Set(rows.map(roleUidOf))].toSorted().slice(0, PAGE_SIZE_MAX);
  const read = useInfiniteQuery({ ...rolesOf(roleUids), enabled: roleUids.length > 0 });
  const access = accessOf(uid, rows, rowsOf(read.data).rows);
  // A machine has its roles in its own group and below, a person anywhere.
  const seesAll = home !== "" && heldAt(who, home)?.has("CAP_IAM_ROLE_BINDINGS_LIST") === true;
  return {
    bindings,
    rows,
    access,
    sight,
    pending: bindings.isPending || sight.state === "asking" || (roleUids.length > 0 && read.isPending),
    error: bindings.error ?? read.error,
    retry: () => Promise.all([bindings.refetch(), read.refetch()]),
    /** True if what it can do is certainly all of `access`. */
    whole: seesAll && !bindings.hasNextPage && access.every(({ unknown }) => unknown.length === 0),
    /** False if there can be role bindings that the user can't see; undefined while that is unknown. */
    seesAll: who.state === "loading" ? undefined : seesAll,
  };
}
