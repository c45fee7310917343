import { now } from "../clock";
import type { Queries } from "../database";
import { newChildUid } from "../uids";

/** The parts of a mapping that determine its bindings. */
export interface Mapping {
  readonly uid: string;
  readonly role: string;
  readonly scope: string;
}

/**
 * Grants identities the role of a mapping. Does not adopt an existing binding that no mapping made: it outlives the
 * mapping.
 */
export async function giveMapped(
  queries: Queries,
  identities: readonly string[],
  { uid, role, scope }: Mapping,
): Promise<void> {
  if (identities.length === 0) return;
  const made = await queries.query<{ uid: string }>(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
     select made.uid, $3, made.identity, $4, $5, $5 from unnest($1::text[], $2::text[]) as made (uid, identity)
     on conflict on constraint role_bindings_once do nothing returning uid`,
    [identities.map(() => newChildUid(scope)), [...identities], scope, role, now()],
  );
  // Those just made, and those that other mappings made.
  await queries.query(
    `insert into mapped_bindings (binding_uid, mapping_uid)
     select b.uid, $2 from role_bindings b
     where b.parent = $3 and b.role_uid = $4 and b.identity_uid = any($1::text[])
       and (b.uid = any($5::text[]) or exists (select 1 from mapped_bindings m where m.binding_uid = b.uid))
     on conflict do nothing`,
    [[...identities], uid, scope, role, made.map((one) => one.uid)],
  );
}

/** Revokes what a mapping granted, to one identity or to all. Keeps what another mapping also grants. */
export async function takeMapped(queries: Queries, mapping: string, identity?: string): Promise<string[]> {
  const rows = await queries.query<{ uid: string; identity: string }>(
    `delete from mapped_bindings m using role_bindings b
     where b.uid = m.binding_uid and m.mapping_uid = $1 and ($2::text is null or b.identity_uid = $2)
     returning b.uid, b.identity_uid as identity`,
    [mapping, identity ?? null],
  );
  await queries.query(
    `delete from role_bindings b where b.uid = any($1::text[])
       and not exists (select 1 from mapped_bindings m where m.binding_uid = b.uid)`,
    [rows.map(({ uid }) => uid)],
  );
  return rows.map(({ identity: holder }) => holder);
}

/** A binding that a user edits is no longer managed by mappings. */
export const forgetMapped = async (queries: Queries, binding: string): Promise<void> => {
  await queries.query("delete from mapped_bindings where binding_uid = $1", [binding]);
};
