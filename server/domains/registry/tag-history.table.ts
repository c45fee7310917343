import type { Queries } from "../../platform/store/database";

/** Records the image of a tag from now on, in the transaction that writes the tag; null if it is deleted. */
export async function recordTag(
  queries: Queries,
  repo: string,
  tag: string,
  digest: string | null,
  since: Date,
): Promise<void> {
  await queries.query(
    `insert into tag_history (repo_uid, tag, since, digest)
     select $1, $2, $4::timestamptz, $3::text where $3::text is distinct from (
       select digest from tag_history where repo_uid = $1 and tag = $2 order by since desc limit 1)
     on conflict (repo_uid, tag, since) do update set digest = excluded.digest`,
    [repo, tag, digest, since],
  );
}

/** Starts the history of tags that have none, after bulk writes. */
export async function recordNewTags(queries: Queries): Promise<void> {
  await queries.query(
    `insert into tag_history (repo_uid, tag, since, digest)
     select t.parent, t.name, t.updated_at, t.digest from tags t
     where not exists (select 1 from tag_history h where h.repo_uid = t.parent and h.tag = t.name)`,
  );
}
