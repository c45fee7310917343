import type { Queries } from "../../platform/store/database";
import { insertRows } from "../../platform/store/table";
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

const insertRepos = (queries: Queries, rows: readonly PlannedRepo[]): Promise<void> =>
  insertRows(
    queries,
    "repos",
    rows.map(({ uid, parent, name, description, tier, activeTags, created, updated }) => ({
      uid,
      parent,
      name,
      description,
      catalog_tier: `CATALOG_TIER_${tier}`,
      bundles: [tier.toLowerCase()],
      active_tags: activeTags,
      created_at: created,
      updated_at: updated,
    })),
  );

const insertTags = (queries: Queries, rows: readonly PlannedTag[]): Promise<void> =>
  insertRows(
    queries,
    "tags",
    rows.map(({ uid, parent, name, digest, deprecated, created, updated }) => ({
      uid,
      parent,
      name,
      digest,
      deprecated,
      family: familyOf(name),
      created_at: created,
      updated_at: updated,
    })),
  );

/** Each image has two architectures, the second a little smaller. The names of one build may be in two batches. */
const insertManifests = (queries: Queries, rows: readonly PlannedTag[]): Promise<void> =>
  insertRows(
    queries,
    "manifests",
    [...new Map(rows.map((row) => [row.digest, row])).values()].flatMap(({ parent, digest, size }) =>
      size === undefined
        ? []
        : [
            { repo_uid: parent, digest, architecture: "amd64", size },
            { repo_uid: parent, digest, architecture: "arm64", size: Math.round(size * 0.96) },
          ],
    ),
    { skips: true },
  );
