import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { identityUidOf } from "~/domains/access/grants/bindings";
import { readAll } from "~/frame/bulk-delete/read-all";

interface Reading {
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** What a group and those below it have. */
export interface MigrationPlace {
  readonly identities: readonly Identity[];
  /** The role bindings of each identity, by its uid: those that the user can see. */
  readonly bindings: ReadonlyMap<string, readonly RoleBinding[]>;
  /** The roles that the user can see, by uid. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** Reads a group. A machine's roles count only inside its own group, so none is elsewhere. Rejects with an ApiError. */
export async function readPlace(group: string, reading: Reading): Promise<MigrationPlace> {
  const within = { "uidp.descendants_of": group, order_by: "uid", page_size: PAGE_SIZE_MAX };
  const every = () => true;
  const [found, granted, known] = await Promise.all([
    readAll<Identity>(infinite(identities.list, { ...within, order_by: "name" }), every, reading),
    readAll<RoleBinding>(infinite(roleBindings.list, within), every, reading),
    readAll<Role>(infinite(roles.list, { order_by: "uid", page_size: PAGE_SIZE_MAX }), every, reading),
  ]);
  const bindings = new Map<string, RoleBinding[]>();
  for (const binding of granted) {
    const uid = identityUidOf(binding);
    bindings.set(uid, [...(bindings.get(uid) ?? []), binding]);
  }
  return {
    identities: found,
    bindings,
    roles: new Map(known.map((role) => [role.uid, role])),
  };
}
