import { by } from "platform-contract/order";
import { ancestorsOf } from "platform-contract/aip";

import type { Queries } from "../../platform/store/database";
import { grouped } from "../../platform/store/grouped";
import { compareApkVersions } from "../../platform/store/versions/apk-version";
import {
  holdsIn,
  imageKey,
  knownImages,
  packagesOfImages,
  type ImageOfRepo,
  type PackageRow,
} from "./image-packages.table";

export interface Tagged {
  readonly repo: string;
  readonly tag: string;
}

/** A day on which a tag moved to another image. */
interface Change {
  readonly day: string;
  readonly repo: string;
  readonly tag: string;
  readonly before: string;
  readonly after: string;
}

const DAY = 86_400_000;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Days from the day of `start` to the day of `end`, both included. */
export const daysBetween = (start: Date, end: Date): number =>
  Math.round((Date.parse(dayOf(end)) - Date.parse(dayOf(start))) / DAY) + 1;

interface History {
  readonly changes: readonly Change[];
  /** The images of each tag in these days, and the one that it began with; by repo and tag. */
  readonly images: ReadonlyMap<string, readonly string[]>;
}

/** The digests of each tag before and after each day on which it moved. A deleted tag starts over. */
async function historyOf(
  queries: Queries,
  tagged: readonly Tagged[],
  start: Date,
  end: Date,
): Promise<History> {
  const from = new Date(dayOf(start));
  const behind = new Date(Date.parse(dayOf(end)) + DAY);
  const rows = await queries.query<{ repo: string; tag: string; since: Date; digest: string | null }>(
    `select h.repo_uid as repo, h.tag, h.since, h.digest
     from unnest($1::text[], $2::text[]) as a (repo, tag)
     join tag_history h on h.repo_uid = a.repo and h.tag = a.tag
     where h.since < $4 and h.since >= coalesce((select max(b.since) from tag_history b
       where b.repo_uid = a.repo and b.tag = a.tag and b.since < $3), '-infinity')
     order by h.repo_uid, h.tag, h.since`,
    [tagged.map(({ repo }) => repo), tagged.map(({ tag }) => tag), from, behind],
  );
  const found: Change[] = [];
  const images = new Map<string, readonly string[]>();
  for (const { repo, tag } of tagged) {
    const own = rows.filter((row) => row.repo === repo && row.tag === tag);
    // Only a tag's digest at the end of a day counts.
    const ends = [...new Map(own.map(({ since, digest }) => [dayOf(since), digest]))];
    images.set(
      `${repo}:${tag}`,
      ends.flatMap(([, digest]) => digest ?? []),
    );
    for (const [index, [day, after]] of ends.entries()) {
      const before = ends[index - 1]?.[1];
      if (day >= dayOf(start) && before && after && before !== after)
        found.push({ day, repo, tag, before, after });
    }
  }
  return { changes: found, images };
}

type Package = ImageOfRepo & PackageRow;

interface Fix {
  readonly id: string;
  readonly artifact: string;
  readonly appliesTo: string;
  /** "" means all. */
  readonly architecture: string;
  readonly version: string;
  readonly aliases: string[];
  readonly severities: unknown[];
}

async function packagesOf(
  queries: Queries,
  images: readonly ImageOfRepo[],
): Promise<Map<string, readonly Package[]>> {
  return grouped(await packagesOfImages(queries, images), imageKey);
}

/**
 * The fixes for packages of these names, from the advisories of the groups above a repo: they apply to everything
 * below.
 */
const fixesFor = (queries: Queries, repo: string, names: readonly string[]): Promise<Fix[]> =>
  queries.query<Fix>(
    `select t.advisory_id as id, t.artifact_name as artifact, t.artifact_architecture as architecture,
       t.applies_to as "appliesTo", t.fixed_version as version, t.aliases, t.severities
     from advisories t where t.artifact_name = any($1::text[]) and t.parent = any($2::text[])
       and t.artifact_type = 'apk' and t.fixed_version is not null and t.deleted_at is null`,
    [names, ancestorsOf(repo)],
  );

const concerns = (fix: Fix, { name, origin, architecture, distribution }: Package): boolean =>
  (fix.artifact === name || fix.artifact === origin) &&
  (fix.architecture === "" || fix.architecture === architecture) &&
  holdsIn(fix.appliesTo, distribution);

/** Compares the packages that a fix concerns with the fixed version; a version without an order counts as neither. */
function judge(fix: Fix, packages: readonly Package[]): { affected: boolean; fixed: boolean } {
  const orders = packages
    .filter((one) => concerns(fix, one))
    .map(({ version }) => compareApkVersions(version, fix.version));
  const affected = orders.some((order) => order !== undefined && order < 0);
  return { affected, fixed: orders.length > 0 && orders.every((order) => order !== undefined && order >= 0) };
}

const once = (images: readonly ImageOfRepo[]): ImageOfRepo[] => [
  ...new Map(images.map((image) => [imageKey(image), image])).values(),
];

export interface Resolved {
  readonly id: string;
  readonly aliases: string[];
  readonly severities: unknown[];
  /** `<repo>:<tag>` of each tag that got rid of it. */
  readonly tags: readonly string[];
}

export interface ResolvedReport {
  readonly byDay: ReadonlyMap<string, Resolved[]>;
  /** Tags without an image in these days, and those with one whose packages are unknown: `<repo>:<tag>`. */
  readonly unknownTags: readonly string[];
}

/**
 * The advisories that tags got rid of, by day: those that affected the tag's image before that day and are fixed in the
 * image after it.
 */
export async function resolvedByDay(
  queries: Queries,
  tagged: readonly Tagged[],
  start: Date,
  end: Date,
): Promise<ResolvedReport> {
  const { changes: found, images } = await historyOf(queries, tagged, start, end);
  const changed = found.flatMap(({ repo, before, after }) =>
    [before, after].map((digest) => ({ repo, digest })),
  );
  const packages = await packagesOf(queries, once(changed));
  const byDay = new Map<string, Map<string, Resolved>>();
  for (const repo of new Set(found.map((change) => change.repo))) {
    const own = found.filter((change) => change.repo === repo);
    const of = (digest: string) => packages.get(imageKey({ repo, digest })) ?? [];
    const held = own.flatMap(({ before }) => of(before));
    const names = new Set(held.flatMap(({ name, origin }) => [name, origin]).filter((name) => name !== ""));
    const fixes = await fixesFor(queries, repo, [...names]);
    for (const { day, tag, before, after } of own)
      for (const fix of fixes) {
        if (!judge(fix, of(before)).affected) continue;
        if (!judge(fix, of(after)).fixed) continue;
        const { id, aliases, severities } = fix;
        const known = byDay.get(day) ?? new Map<string, Resolved>();
        const tags = [...new Set([...(known.get(id)?.tags ?? []), `${repo}:${tag}`])].toSorted();
        byDay.set(day, known.set(id, { id, aliases, severities, tags }));
      }
  }
  const days = [...byDay].toSorted(by(([day]) => day));
  const imagesOf = (tag: string, digests: readonly string[]) =>
    digests.map((digest) => ({ repo: tag.split(":", 1)[0] ?? "", digest }));
  const shown = [...images].flatMap(([tag, digests]) => imagesOf(tag, digests));
  const described = await knownImages(queries, once(shown));
  return {
    byDay: new Map(days.map(([day, known]) => [day, [...known.values()].toSorted(by(({ id }) => id))])),
    unknownTags: [...images].flatMap(([tag, own]) =>
      own.length > 0 && imagesOf(tag, own).every((image) => described.has(imageKey(image))) ? [] : [tag],
    ),
  };
}
