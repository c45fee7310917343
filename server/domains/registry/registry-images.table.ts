import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { later } from "../../platform/store/table";
import { recordTag } from "./tag-history.table";
import { countTag, familyOf } from "./tags.table";
import { newChildUid } from "../../platform/store/uids";

export type ReferrerKind = "signature" | "attestation" | "sbom" | "other";

/** Something attached to an image. Nobody checked a signature. */
export interface Referrer {
  readonly digest: string;
  readonly kind: ReferrerKind;
  /** Its artifact type, or its media type. */
  readonly type: string;
  /** Digests of the documents in it that name packages. */
  readonly documents: readonly string[];
}

/** What the service saw of an image in the registry. */
export interface SeenImage {
  readonly digest: string;
  readonly mediaType: string;
  readonly artifactType: string;
  /** Bytes: of all its architectures. */
  readonly size: number;
  /** Digests of the manifests in an index. */
  readonly children: readonly string[];
  readonly architectures: readonly { readonly architecture: string; readonly size: number }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly referrers: readonly Referrer[];
}

/** Under what the packages of an image are kept that came with it: what one repo says of a digest holds in it alone. */
export const packagesKey = (repo: string, digest: string): string => `${repo}@${digest}`;

/** Writes what was seen of an image; `pusher` only if it is known. */
export async function writeImage(
  queries: Queries,
  repo: string,
  image: SeenImage,
  pusher: string | undefined,
): Promise<void> {
  const { digest, mediaType, artifactType, size, children, architectures, annotations, referrers } = image;
  await queries.query(
    `insert into registry_images (repo_uid, digest, media_type, artifact_type, size, children, annotations, referrers,
       pushed_by, looked_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (repo_uid, digest) do update set media_type = excluded.media_type,
       artifact_type = excluded.artifact_type, size = excluded.size, children = excluded.children,
       annotations = excluded.annotations, referrers = excluded.referrers,
       pushed_by = coalesce(registry_images.pushed_by, excluded.pushed_by), looked_at = excluded.looked_at`,
    [
      repo,
      digest,
      mediaType,
      artifactType,
      size,
      children,
      JSON.stringify(annotations),
      JSON.stringify(referrers),
      pusher ?? null,
      now(),
    ],
  );
  await queries.query("delete from manifests where repo_uid = $1 and digest = $2", [repo, digest]);
  for (const { architecture, size: bytes } of architectures)
    await queries.query(
      `insert into manifests (repo_uid, digest, architecture, size) values ($1, $2, $3, $4)
       on conflict (repo_uid, digest, architecture) do nothing`,
      [repo, digest, architecture, bytes],
    );
}

/** What was seen of an image, who pushed it, and when it was looked at; undefined if it never was. */
export async function readSeenImage(
  queries: Queries,
  repo: string,
  digest: string,
): Promise<
  | (Pick<SeenImage, "mediaType" | "artifactType" | "annotations" | "referrers"> & {
      readonly size: number | bigint;
      readonly pushedBy: string | null;
      /** Null if that identity is gone. */
      readonly pushedByName: string | null;
      readonly lookedAt: Date;
    })
  | undefined
> {
  const [row] = await queries.query<NonNullable<Awaited<ReturnType<typeof readSeenImage>>>>(
    `select x.media_type as "mediaType", x.artifact_type as "artifactType", x.annotations, x.referrers, x.size,
       x.pushed_by as "pushedBy", i.name as "pushedByName", x.looked_at as "lookedAt"
     from registry_images x left join identities i on i.uid = x.pushed_by where x.repo_uid = $1 and x.digest = $2`,
    [repo, digest],
  );
  return row;
}

/** The documents that were read for the packages of an image; undefined if the service never looked at it. */
export async function readDocuments(
  queries: Queries,
  repo: string,
  digest: string,
): Promise<Set<string> | undefined> {
  const [row] = await queries.query<{ referrers: Referrer[] }>(
    "select referrers from registry_images where repo_uid = $1 and digest = $2",
    [repo, digest],
  );
  return row && new Set(row.referrers.flatMap(({ documents }) => documents));
}

/** The images of a repo that are this manifest, or an index with it. */
export async function imagesWith(queries: Queries, repo: string, digest: string): Promise<string[]> {
  const rows = await queries.query<{ digest: string }>(
    `select digest from registry_images where repo_uid = $1 and (digest = $2 or children @> array[$2::text]) limit 100`,
    [repo, digest],
  );
  return rows.map((row) => row.digest);
}

/** Writes a tag as the registry has it; what people decided about it stays. False if there is nothing to change. */
export async function writeSeenTag(
  queries: Queries,
  repo: string,
  name: string,
  digest: string,
): Promise<boolean> {
  const fresh = newChildUid(repo);
  const [row] = await queries.query<{ uid: string; updated_at: Date }>(
    `insert into tags (uid, parent, name, digest, family, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict on constraint tags_once do update set digest = excluded.digest,
       updated_at = ${later("tags.updated_at", "excluded.updated_at")} where tags.digest <> excluded.digest
     returning uid, updated_at`,
    [fresh, repo, name, digest, familyOf(name), now()],
  );
  if (!row) return false;
  if (row.uid === fresh) await countTag(queries, repo, name, 1);
  await recordTag(queries, repo, name, digest, row.updated_at);
  return true;
}

/** Removes a tag that the registry does not have. False if there is none. */
export async function removeSeenTag(queries: Queries, repo: string, name: string): Promise<boolean> {
  const rows = await queries.query("delete from tags where parent = $1 and name = $2 returning 1", [
    repo,
    name,
  ]);
  if (rows.length === 0) return false;
  await countTag(queries, repo, name, -1);
  await recordTag(queries, repo, name, null, now());
  return true;
}

/** All tags of a repo with their digests. */
export async function digestsOfTags(queries: Queries, repo: string): Promise<Map<string, string>> {
  const rows = await queries.query<{ name: string; digest: string }>(
    "select name, digest from tags where parent = $1",
    [repo],
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Removes what was seen of images that no tag of the repo names, themselves or in an index. */
export async function forgetUntagged(queries: Queries, repo: string): Promise<void> {
  await queries.query(
    `with gone as (delete from registry_images i where i.repo_uid = $1
       and not exists (select 1 from tags t where t.parent = i.repo_uid and t.digest = i.digest) returning i.digest),
     sizes as (delete from manifests m using gone where m.repo_uid = $1 and m.digest = gone.digest)
     delete from image_packages p using gone where p.digest = $1 || '@' || gone.digest`,
    [repo],
  );
}
