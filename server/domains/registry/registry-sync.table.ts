import type { DIFFERENCES } from "platform-contract/registry/behind";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinAny, withinListed } from "../../platform/store/sql";
import { insertRow } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";

/** One thing in which registry and ledger differed at the last comparison. */
export interface RegistryDifference {
  /** As the registry calls it. */
  readonly repository: string;
  /** A tag; empty for the repository itself. */
  readonly reference: string;
  readonly organization: string | undefined;
  readonly repo: string | undefined;
  readonly difference: (typeof DIFFERENCES)[number];
  readonly detail: string;
  readonly mended: boolean;
}

/** Differences that are kept. */
const MOST = 10_000;

/** Replaces what the last comparison found. */
export async function writeDifferences(
  queries: Queries,
  found: readonly RegistryDifference[],
): Promise<void> {
  await queries.query("delete from registry_differences");
  await queries.query(
    `insert into registry_differences (repository, reference, organization, repo_uid, difference, detail, mended, seen_at)
     select r.repository, r.reference, r.organization, r.repo, r.difference, r.detail, r.mended, $2
     from jsonb_to_recordset($1::jsonb) as r (repository text, reference text, organization text, repo text,
       difference text, detail text, mended boolean)
     on conflict (repository, reference) do nothing`,
    [JSON.stringify(found.slice(0, MOST)), now()],
  );
  await queries.query(
    `insert into registry_comparison (compared_at) values ($1)
     on conflict (only_row) do update set compared_at = excluded.compared_at, failed_at = null`,
    [now()],
  );
}

/** Remembers that a comparison did not end. */
export async function writeFailedComparison(queries: Queries): Promise<void> {
  await queries.query(
    `insert into registry_comparison (failed_at) values ($1)
     on conflict (only_row) do update set failed_at = excluded.failed_at`,
    [now()],
  );
}

/** When the last comparison ended, and when a later one failed. */
export async function lastComparison(
  queries: Queries,
): Promise<{ readonly comparedAt: Date | null; readonly failedAt: Date | null }> {
  const [row] = await queries.query<{ comparedAt: Date | null; failedAt: Date | null }>(
    `select compared_at as "comparedAt", failed_at as "failedAt" from registry_comparison`,
  );
  return row ?? { comparedAt: null, failedAt: null };
}

/** What differed in these groups, or in one repo or group within them; what was not mended comes first. */
export function readDifferences(
  queries: Queries,
  visible: readonly string[],
  within: string | undefined,
  most: number,
): Promise<RegistryDifference[]> {
  const { values, bind } = new Parameters();
  // What has no repo is the organization's.
  const place = "coalesce(d.repo_uid, d.organization)";
  return queries.query(
    `select d.repository, d.reference, d.organization, d.repo_uid as repo, d.difference, d.detail, d.mended
     from registry_differences d where ${withinListed(place, visible, bind)}
       ${within === undefined ? "" : `and ${withinAny(place, [within], bind)}`}
     order by d.mended, d.repository, d.reference limit ${bind(most)}`,
    values,
  );
}

/** Makes the repo of a repository that somebody pushed past this service. */
export async function createSeenRepo(queries: Queries, organization: string, name: string): Promise<string> {
  const uid = newChildUid(organization);
  await insertRow(queries, "repos", { uid, parent: organization, name });
  return uid;
}

/** Repos with tags, and their names in the registry, by uid, after one. */
export const reposWithTags = (
  queries: Queries,
  after: string,
  most: number,
): Promise<{ uid: string; repository: string }[]> =>
  queries.query(
    `select r.uid, n.name || '/' || r.name as repository from repos r
       join namespaces n on n.organization = left(r.uid, 40) and n.current
     where r.uid > $1 and exists (select 1 from tags t where t.parent = r.uid) order by r.uid limit $2`,
    [after, most],
  );

/** The digests of a repo's images that the service has looked at. */
export async function digestsSeen(queries: Queries, repo: string): Promise<Set<string>> {
  const rows = await queries.query<{ digest: string }>(
    "select digest from registry_images where repo_uid = $1",
    [repo],
  );
  return new Set(rows.map(({ digest }) => digest));
}
