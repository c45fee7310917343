import type { Queries } from "../../platform/store/database";

/** The name of a repository: of an organization's namespace and of one of its repos. */
export interface RepositoryName {
  readonly namespace: string;
  readonly repo: string;
}

/** Gives every organization without a name in the registry one; call it after writes that leave no traces (`unlogged`). */
export const giveNamespaces = async (queries: Queries): Promise<void> => {
  await queries.query(
    `select give_namespace(g.uid, g.name)
     from (select uid, name from groups where parent is null order by created_at, uid) g`,
  );
};

/** Where a name of the registry leads. */
export interface NamedRepo extends RepositoryName {
  /** Uid of the organization whose namespace it is; undefined if there is none. */
  readonly organization: string | undefined;
  /** Uids of its repos of this name: none before the first push. Of several, none is meant. */
  readonly repos: readonly string[];
}

/** Looks up names of the registry, in their order. */
export async function findNamed<N extends RepositoryName>(
  queries: Queries,
  names: readonly N[],
): Promise<(N & NamedRepo)[]> {
  if (names.length === 0) return [];
  const rows = await queries.query<{ place: number; organization: string | null; repos: string[] }>(
    `select w.place, g.uid as organization, array(select r.uid from repos r where r.name = w.repo
         and r.uid > g.uid || '/' and r.uid < g.uid || '0' order by r.uid limit 2) as repos
     from jsonb_to_recordset($1::jsonb) as w (place int, namespace text, repo text)
       left join namespaces n on n.name = w.namespace collate "C" and n.current
       left join groups g on g.uid = n.organization`,
    [JSON.stringify(names.map(({ namespace, repo }, place) => ({ place, namespace, repo })))],
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return names.map((name, place) => {
    const { organization, repos = [] } = byPlace.get(place) ?? {};
    return { ...name, organization: organization ?? undefined, repos };
  });
}

/** What a repo is called in the registry; undefined if there is no such repo, or another one of that name. */
export async function registryNameOf(queries: Queries, repo: string): Promise<string | undefined> {
  const [row] = await queries.query<{ name: string }>(
    `select n.name || '/' || r.name as name from repos r
       join namespaces n on n.organization = left(r.uid, 40) and n.current
     where r.uid = $1 and not exists (select 1 from repos o where o.name = r.name and o.uid <> r.uid
       and o.uid > left(r.uid, 40) || '/' and o.uid < left(r.uid, 40) || '0')`,
    [repo],
  );
  return row?.name;
}

/** True if another repo of the organization has this name, in whatever folder. */
export async function isNameTaken(
  queries: Queries,
  organization: string,
  name: string,
  but: string,
): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from repos where name = $2 and uid <> $3 and uid > $1 || '/' and uid < $1 || '0' limit 1`,
    [organization, name, but],
  );
  return rows.length > 0;
}

export interface Collision {
  readonly namespace: string;
  readonly name: string;
  readonly repos: readonly string[];
}

/** Repos of one organization that share a name: in the registry none of them answers. */
export const readCollisions = (queries: Queries, most: number): Promise<Collision[]> =>
  queries.query<Collision & Record<string, unknown>>(
    `select n.name as namespace, r.name, array_agg(r.uid order by r.uid) as repos from repos r
       join namespaces n on n.organization = left(r.uid, 40) and n.current
     group by n.name, r.name having count(*) > 1 order by 1, 2 limit $1`,
    [most],
  );

/**
 * Renames an organization's namespace. The old name stays reserved for it.
 * @returns the name before; undefined if there is no such organization, or the name belongs to another one
 */
export async function renameNamespace(
  queries: Queries,
  organization: string,
  name: string,
): Promise<string | undefined> {
  const [before] = await queries.query<{ name: string }>(
    `select n.name from namespaces n join groups g on g.uid = n.organization
     where n.organization = $1 and n.current for update of n`,
    [organization],
  );
  if (!before) return undefined;
  await queries.query("update namespaces set current = false where organization = $1", [organization]);
  const rows = await queries.query(
    `insert into namespaces (name, organization, current) values ($2, $1, true)
     on conflict (name) do update set current = true where namespaces.organization = excluded.organization returning 1`,
    [organization, name],
  );
  return rows.length > 0 ? before.name : undefined;
}
