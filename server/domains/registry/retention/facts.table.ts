import { ancestorsOf, isWithin } from "platform-contract/aip";
import { MOST_TAGS, type RetentionValues } from "platform-contract/registry/retention";
import { decide, keyOf, type Decision } from "platform-contract/registry/retention-decision";
import type { Tag } from "platform-contract/registry/tags";

import { now } from "../../../platform/store/clock";
import type { Queries } from "../../../platform/store/database";
import { reposTable } from "../repos.table";
import { tagsTable } from "../tags.table";

export interface RepoOfRule {
  readonly uid: string;
  readonly name: string;
}

/**
 * The repos that a rule decides about, by their uids: those at and below its place that have no nearer rule.
 * @param after the uid of the repo before
 */
export async function reposOfRule(
  queries: Queries,
  place: string,
  after: string,
  limit: number,
): Promise<RepoOfRule[]> {
  const nearer = await queries.query<{ uid: string }>(
    "select uid from retention_rules where uid > $1 || '/' and uid < $1 || '0'",
    [place],
  );
  const inner = nearer.map(({ uid }) => uid);
  const found: RepoOfRule[] = [];
  let from = after;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins after the one before
    const rows = await queries.query<RepoOfRule>(
      `select uid, name from repos where uid >= $1 and uid < $1 || '0' and (uid = $1 or uid > $1 || '/')
         and uid > $2 order by uid limit $3`,
      [place, from, limit],
    );
    found.push(...rows.filter(({ uid }) => !inner.some((one) => isWithin(uid, one))));
    from = rows.at(-1)?.uid ?? from;
    if (rows.length < limit || found.length >= limit) return found.slice(0, limit);
  }
}

/** True if a rule still decides about a repo: nobody set a nearer one. */
export async function decidesAbout(queries: Queries, place: string, repo: string): Promise<boolean> {
  const [row] = await queries.query<{ uid: string }>(
    "select uid from retention_rules where uid = any($1::text[]) order by length(uid) desc limit 1",
    [[...ancestorsOf(repo), repo]],
  );
  return row?.uid === place;
}

/** Keeps a repo from being changed until the transaction ends; false if it does not exist. */
export const lockRepo = async (queries: Queries, repo: string): Promise<boolean> =>
  (await queries.query("select 1 from repos where uid = $1 for share", [repo])).length > 0;

/** What of a registry a decision needs; undefined if none is connected. */
export interface Pulls {
  /** Since when they are counted and kept; undefined if they never were. */
  readonly since: Date | undefined;
  /** Uids of identities whose downloads are no use. */
  readonly scanners: readonly string[];
}

/** By reference (a name of a tag, or a digest): when it was last downloaded by others than scanners, and asked for. */
async function lastPulls(queries: Queries, repo: string, scanners: readonly string[]) {
  const rows = await queries.query<{ reference: string; downloaded: Date | null; asked: Date | null }>(
    `select u.reference, max(u.downloaded) filter (where not u.scanner) as downloaded,
       max(greatest(u.asked, case when u.scanner then u.downloaded end)) as asked from (
         select reference, downloaded_at as downloaded, asked_at as asked, identity_uid = any($2::text[]) as scanner
         from registry_last_pulls where repo_uid = $1 and reference <> ''
         union all select reference, (downloaded_on + 1)::timestamp at time zone 'UTC',
           (asked_on + 1)::timestamp at time zone 'UTC', false
         from registry_forgotten_pulls where repo_uid = $1 and reference <> '') u group by 1`,
    [repo, [...scanners]],
  );
  return new Map(rows.map(({ reference, ...times }) => [reference, times]));
}

async function pullFacts(queries: Queries, repo: string, tags: readonly Tag[], { since, scanners }: Pulls) {
  const last = await lastPulls(queries, repo, scanners);
  const indexes = await queries.query<{ digest: string; children: readonly string[] }>(
    "select digest, children from registry_images where repo_uid = $1 and children <> '{}'",
    [repo],
  );
  const pulled = new Map<string, Date>();
  const note = (digest: string, at: Date | null | undefined) => {
    const key = keyOf(repo, digest);
    if (at && at > (pulled.get(key) ?? new Date(0))) pulled.set(key, at);
  };
  for (const [reference, { downloaded }] of last)
    if (reference.startsWith("sha256:")) note(reference, downloaded);
  // The pull of one architecture is use of its index.
  for (const { digest, children } of indexes)
    for (const child of children) note(digest, last.get(child)?.downloaded);
  const countedSince = since?.toISOString();
  const usage = new Map(
    tags.map(({ uid, name }) => {
      const { downloaded, asked } = last.get(name) ?? { downloaded: null, asked: null };
      const row = {
        ...(downloaded && { lastDownloadTime: downloaded.toISOString() }),
        ...(asked && { lastAskTime: asked.toISOString() }),
      };
      return [uid, { row, ...(countedSince !== undefined && { countedSince }) }];
    }),
  );
  return { pulled, usage };
}

/** Too many tags in one repo. */
export class TooManyTags extends Error {}

/**
 * What a rule does with each tag of a repo now. Throws TooManyTags.
 * @param mayName whether a repo that is synced from this one may be named
 */
export async function decideRepo(
  queries: Queries,
  repo: RepoOfRule,
  rule: RetentionValues,
  pulls: Pulls | undefined,
  mayName: (repo: string) => boolean = () => true,
): Promise<readonly Decision[]> {
  const tags = (
    await queries.query(
      `select ${tagsTable.columns} from tags t where t.parent = $1 order by t.name limit $2`,
      [repo.uid, MOST_TAGS + 1],
    )
  ).map((row) => tagsTable.toItem(row as never) as Tag);
  if (tags.length > MOST_TAGS) throw new TooManyTags();
  if (tags.length === 0) return [];
  const [row] = await queries.query(
    `select ${reposTable.columns} from repos t ${reposTable.joins} where t.uid = $1`,
    [repo.uid],
  );
  const { activeTags = [] } = row ? (reposTable.toItem(row as never) as { activeTags?: string[] }) : {};
  const copies = await queries.query<{ digest: string; uid: string; name: string }>(
    `select distinct on (t.digest) t.digest, r.uid, r.name from repos r join tags t on t.parent = r.uid
     where r.source_uid = $1 order by t.digest, r.uid`,
    [repo.uid],
  );
  const restored = await queries.query<{ name: string; digest: string }>(
    "select name, digest from retention_deletions where repo_uid = $1 and restored_at is not null",
    [repo.uid],
  );
  const former = await queries.query<{ tag: string }>(
    "select distinct tag from tag_history where repo_uid = $1 and tag ~ '^[vV]?[0-9]+[.][0-9]'",
    [repo.uid],
  );
  return decide(
    {
      tags,
      former: new Map([[repo.uid, former.map(({ tag }) => tag)]]),
      repos: new Map([[repo.uid, { name: repo.name, activeTags }]]),
      copies: new Map(
        copies.map(({ digest, uid, name }) => [keyOf(repo.uid, digest), mayName(uid) ? name : "a repo"]),
      ),
      restored: new Set(restored.map(({ name, digest }) => keyOf(repo.uid, `${name} ${digest}`))),
      now: now().getTime(),
      ...(pulls && (await pullFacts(queries, repo.uid, tags, pulls))),
    },
    rule,
  );
}
