import { rootOf } from "~/contract/aip";

import type { Queries } from "../database";

/** Records that a person leaves the organization of this binding, if it is their last one there and about to be deleted. */
export const recordLeaving = async (queries: Queries, binding: string, identity: string): Promise<void> => {
  await queries.query(
    `insert into left_organizations (organization, identity_uid)
     select $2, b.identity_uid from role_bindings b where b.uid = $1 and b.identity_uid = $3
       and not exists (select 1 from role_bindings o
         where o.identity_uid = $3 and left(o.parent, 40) = $2 and o.uid <> $1)
     on conflict do nothing`,
    [binding, rootOf(binding), identity],
  );
};

/** True if a person has left an organization and not come back. */
export async function hasLeft(queries: Queries, organization: string, identity: string): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from left_organizations where organization = $1 and identity_uid = $2",
    [organization, identity],
  );
  return rows.length > 0;
}

/** Records that a person has come back to the organization of this group by themselves. */
export const recordReturn = async (queries: Queries, group: string, identity: string): Promise<void> => {
  await queries.query("delete from left_organizations where organization = $1 and identity_uid = $2", [
    rootOf(group),
    identity,
  ]);
};
