import type { Queries } from "../../platform/store/database";
import { recordNewTags } from "../../domains/registry/tag-history.table";
import { familyOf, recountTags } from "../../domains/registry/tags.table";
import { each, inBatches } from "./batches";
import type { SeedProgress } from "./progress";
import {
  planRepo,
  planTags,
  type PlannedRepo,
  type PlannedTag,
  type RegistrySize,
} from "./scale-registry-plan";

/** Writes repos with their tags and image manifests into the groups with these uids. */
export async function insertRegistry(
  queries: Queries,
  size: RegistrySize,
  uids: readonly string[],
  progress: SeedProgress,
): Promise<void> {
  if (size.repos === 0) return;
  const repos = [...each(size.repos, (index) => planRepo(size, uids, index))];
  await inBatches("repos", size.repos, repos, progress, (rows) => insertRepos(queries, rows));
  await inBatches("tags", size.tags, tagsOf(repos), progress, async (rows) => {
    await insertTags(queries, rows);
    await insertManifests(queries, rows);
  });
  await recountTags(queries);
  await recordNewTags(queries);
}

function* tagsOf(repos: readonly PlannedRepo[]): Generator<PlannedTag> {
  for (const [index, repo] of repos.entries()) yield* planTags(repo, index);
}

const insertRepos = (queries: Queries, rows: readonly PlannedRepo[]): Promise<unknown> =>
  queries.query(
    `insert into repos (uid, parent, name, description, catalog_tier, bundles, active_tags, created_at, updated_at)
     select k.uid, k.parent, k.name, k.description, 'CATALOG_TIER_' || k.tier, array[lower(k.tier)],
       string_to_array(k.active, ' '), k.created_at, k.updated_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
       $8::timestamptz[]) as k (uid, parent, name, description, tier, active, created_at, updated_at)`,
    [
      rows.map(({ uid }) => uid),
      rows.map(({ parent }) => parent),
      rows.map(({ name }) => name),
      rows.map(({ description }) => description),
      rows.map(({ tier }) => tier),
      rows.map(({ activeTags }) => activeTags.join(" ")),
      rows.map(({ created }) => created),
      rows.map(({ updated }) => updated),
    ],
  );

const insertTags = (queries: Queries, rows: readonly PlannedTag[]): Promise<unknown> =>
  queries.query(
    `insert into tags (uid, parent, name, digest, deprecated, family, created_at, updated_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[],
       $7::timestamptz[], $8::timestamptz[])`,
    [
      rows.map(({ uid }) => uid),
      rows.map(({ parent }) => parent),
      rows.map(({ name }) => name),
      rows.map(({ digest }) => digest),
      rows.map(({ deprecated }) => deprecated),
      rows.map(({ name }) => familyOf(name)),
      rows.map(({ created }) => created),
      rows.map(({ updated }) => updated),
    ],
  );

/** Each image has two architectures, the second a little smaller. */
function insertManifests(queries: Queries, rows: readonly PlannedTag[]): Promise<unknown> {
  const images = [...new Map(rows.map((row) => [row.digest, row])).values()].filter(
    ({ size }) => size !== undefined,
  );
  // The names of one build may be in two batches.
  return queries.query(
    `insert into manifests (repo_uid, digest, architecture, size)
     select k.repo_uid, k.digest, a.architecture, (k.size * a.share)::bigint
     from unnest($1::text[], $2::text[], $3::bigint[]) as k (repo_uid, digest, size)
     cross join (values ('amd64', 1.0), ('arm64', 0.96)) as a (architecture, share)
     on conflict do nothing`,
    [images.map(({ parent }) => parent), images.map(({ digest }) => digest), images.map(({ size }) => size)],
  );
}
