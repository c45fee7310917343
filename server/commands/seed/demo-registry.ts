import { createHash } from "node:crypto";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { insertRows } from "../../platform/store/table";
import { recordNewTags } from "../../domains/registry/tag-history.table";
import { familyOf, recountTags } from "../../domains/registry/tags.table";
import { chance, hex } from "./demo-chance";
import { readmeOf, REPOS, SYNCED, type DemoRepo } from "./demo-registry-data";
import { seedPackages, type DemoBuild } from "./demo-security";
import { tagsOf, versionOf, type DemoTag } from "./demo-tags";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MEGABYTE = 1_000_000;

/** Writes repos, readmes, tags and image facts; `groupUid` returns a folder's uid by its path. */
export async function seedRegistry(
  queries: Queries,
  groupUid: (path: readonly string[]) => string,
): Promise<void> {
  const start = now().getTime();
  const uidOf = (at: readonly string[], name: string) =>
    `${groupUid(at)}/${hex(`${at.join("/")} ${name}`, 16)}`;
  const builds: DemoBuild[] = [];
  for (const repo of REPOS) {
    const uid = uidOf(repo.at, repo.name);
    const tags = tagsOf(repo, start);
    const first = new Date(Math.min(...tags.map(({ at }) => at.getTime())) - DAY);
    const row = {
      uid,
      parent: groupUid(repo.at),
      name: repo.name,
      description: repo.description,
      catalog_tier: `CATALOG_TIER_${repo.tier}`,
      bundles: [repo.tier.toLowerCase()],
      aliases: repo.aliases ?? [],
      active_tags: repo.versions.slice(repo.ended).map(([minor]) => minor),
      readme: readmeOf(repo),
      created_at: first,
      updated_at: new Date(start - chance(repo.name, 900) * HOUR),
    };
    await insertRows(queries, "repos", [row]);
    const moves = movesOf(repo, start);
    await insertTags(queries, uid, repo.name, tags, firstOf(moves));
    await insertManifests(queries, uid, repo, tags);
    await insertMoves(queries, uid, repo.name, moves);
    builds.push(
      ...moves
        .filter(({ name }) => name.startsWith("latest"))
        .map(({ name, build, at }) => ({
          repo: repo.name,
          variant: name.slice("latest".length),
          digest: digestOf(repo.name, build),
          version: versionOf(build),
          at,
        })),
    );
  }
  for (const { at, name, source } of SYNCED) {
    const from = REPOS.find((repo) => repo.name === source);
    if (!from) throw new Error(`the demo has no repo ${source}`);
    const made = new Date(start - 3 * DAY);
    const row = {
      uid: uidOf(at, name),
      parent: groupUid(at),
      name,
      description: from.description,
      source_uid: uidOf(from.at, from.name),
      sync: { expirationTime: new Date(start + 14 * DAY) },
      created_at: made,
      updated_at: made,
    };
    await insertRows(queries, "repos", [row]);
  }
  await recountTags(queries);
  await seedPackages(queries, builds, start);
  await recordNewTags(queries);
}

/** The builds of the moving tags over time: every patch moves the tag of its minor version and `latest`. */
export function movesOf(repo: DemoRepo, start: number): Pick<DemoTag, "name" | "build" | "at">[] {
  const tags = tagsOf(repo, start);
  return repo.versions.flatMap(([minor, patches]) =>
    Array.from({ length: patches }, (_, patch) => patch).flatMap((patch) =>
      ["", "-dev"].flatMap((variant) => {
        const tag = tags.find(({ name }) => name === `${minor}.${patch}${variant}`);
        if (!tag) return [];
        return [`${minor}${variant}`, `latest${variant}`].map((name) => ({
          name,
          build: tag.build,
          at: tag.at,
        }));
      }),
    ),
  );
}

const insertMoves = (
  queries: Queries,
  repo: string,
  name: string,
  moves: readonly Pick<DemoTag, "name" | "build" | "at">[],
): Promise<void> =>
  insertRows(
    queries,
    "tag_history",
    moves.map((move) => ({
      repo_uid: repo,
      tag: move.name,
      since: move.at,
      digest: digestOf(name, move.build),
    })),
    { skips: true },
  );

const digestOf = (repo: string, build: string): string =>
  `sha256:${createHash("sha256").update(`${repo}\n${build}`).digest("hex")}`;

/** When each tag that moves got its first image. */
const firstOf = (moves: readonly Pick<DemoTag, "name" | "at">[]): ReadonlyMap<string, Date> => {
  const first = new Map<string, Date>();
  for (const { name, at } of moves) if (!(at > (first.get(name) ?? at))) first.set(name, at);
  return first;
};

const insertTags = (
  queries: Queries,
  repo: string,
  name: string,
  tags: readonly DemoTag[],
  first: ReadonlyMap<string, Date>,
): Promise<void> =>
  insertRows(
    queries,
    "tags",
    tags.map((tag) => ({
      uid: `${repo}/${hex(`${repo} ${tag.name}`, 16)}`,
      parent: repo,
      name: tag.name,
      digest: digestOf(name, tag.build),
      deprecated: tag.deprecated,
      family: familyOf(tag.name),
      created_at: first.get(tag.name) ?? tag.at,
      updated_at: tag.at,
    })),
  );

/** An image index with two architectures for each build; the second is a little smaller. */
function insertManifests(
  queries: Queries,
  repo: string,
  { name, size }: DemoRepo,
  tags: readonly DemoTag[],
): Promise<void> {
  const builds = [...new Set(tags.map(({ build }) => build))];
  const rows = builds.flatMap((build) => {
    const bytes = Math.round(size * MEGABYTE * (0.9 + chance(`${repo} ${build}`, 200) / 1_000));
    const row = { repo_uid: repo, digest: digestOf(name, build) };
    return [
      { ...row, architecture: "amd64", size: bytes },
      { ...row, architecture: "arm64", size: Math.round(bytes * 0.96) },
    ];
  });
  return insertRows(queries, "manifests", rows);
}
