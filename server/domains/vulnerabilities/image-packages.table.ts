import type { ImagePackages } from "platform-contract/vulnerabilities/image-packages";

import type { Queries, Row } from "../../platform/store/database";

/** Where an advisory about a package holds. */
interface About {
  readonly artifactName?: string | undefined;
  readonly artifactType?: string | undefined;
  readonly artifactArchitecture?: string | undefined;
  readonly appliesTo?: string | undefined;
}

/** A package of an image. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly concerns: (advisory: About) => boolean;
}

/** An advisory of one distribution says nothing of another; of a package whose distribution is unknown, each can be true. */
export const holdsIn = (appliesTo: string, distribution: string): boolean =>
  appliesTo === "" ||
  distribution === "" ||
  appliesTo === distribution ||
  appliesTo.startsWith(`${distribution} `);

/** The same in SQL. */
export const holdsInSql = (appliesTo: string, distribution: string): string =>
  `(${appliesTo} = '' or ${distribution} = '' or ${appliesTo} = ${distribution}
    or starts_with(${appliesTo}, ${distribution} || ' '))`;

/** SQL: under what the packages of a row's image are kept: by digest alone, and what came with it in its own repo. */
const keysOf = (repo: string, digest: string): string => `(${digest}, ${repo} || '@' || ${digest})`;

/** The same for a tag. */
export const keysOfTag = (tag: string): string => keysOf(`${tag}.parent`, `${tag}.digest`);

/** An image of a repo. */
export interface ImageOfRepo {
  readonly repo: string;
  readonly digest: string;
}

/** One text for an image of a repo. */
export const imageKey = ({ repo, digest }: ImageOfRepo): string => `${repo}@${digest}`;

const IMAGES = "unnest($1::text[], $2::text[]) as a (repo, digest)";
const imagesOf = (images: readonly ImageOfRepo[]) => [
  images.map(({ repo }) => repo),
  images.map(({ digest }) => digest),
];

/** The images, by `imageKey`, of which packages are known. */
export async function knownImages(queries: Queries, images: readonly ImageOfRepo[]): Promise<Set<string>> {
  const rows = await queries.query<ImageOfRepo & Row>(
    `select a.repo, a.digest from ${IMAGES}
     where exists (select 1 from image_packages p where p.digest in ${keysOf("a.repo", "a.digest")})`,
    imagesOf(images),
  );
  return new Set(rows.map(imageKey));
}

/** The packages of images of repos. */
export const packagesOfImages = (
  queries: Queries,
  images: readonly ImageOfRepo[],
): Promise<(ImageOfRepo & PackageRow)[]> =>
  queries.query(
    `select a.repo, a.digest, p.architecture, p.name, p.version, p.origin, p.distribution
     from ${IMAGES} join image_packages p on p.digest in ${keysOf("a.repo", "a.digest")}`,
    imagesOf(images),
  );

/** Architectures as image indexes write them, by those of apk (https://wiki.alpinelinux.org/wiki/Requirements). */
const PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  x86_64: ["amd64"],
  aarch64: ["arm64"],
  x86: ["386"],
  armv7: ["arm/v7", "arm"],
  armhf: ["arm/v6", "arm"],
};

const architecturesOf = (architecture: string): readonly string[] =>
  PLATFORMS[architecture] ?? [architecture];

/** SQL: true for a tag of whose image no packages are known, or none of an architecture that it has. */
export const unknownPackages = (tag: string): string => {
  const known = `select 1 from image_packages p where p.digest in ${keysOfTag(tag)}`;
  const platforms = Object.entries(PLATFORMS)
    .map(
      ([apk, names]) =>
        `when '${apk}' then m.architecture in (${names.map((name) => `'${name}'`).join(", ")})`,
    )
    .join(" ");
  return `(not exists (${known}) or exists (select 1 from manifests m
    where m.repo_uid = ${tag}.parent and m.digest = ${tag}.digest
    and not exists (${known} and case p.architecture ${platforms} else m.architecture = p.architecture end)))`;
};

/** What is known of the packages in the image that a tag names. */
export async function readImagePackages(
  queries: Queries,
  tag: string,
  packages: readonly InstalledPackage[],
): Promise<ImagePackages> {
  const rows = await queries.query<{ architecture: string }>(
    `select m.architecture from tags t join manifests m on m.repo_uid = t.parent and m.digest = t.digest
     where t.uid = $1 order by m.architecture`,
    [tag],
  );
  const known = new Set(packages.flatMap(({ architecture }) => architecturesOf(architecture)));
  const unknownArchitectures = rows.map((row) => row.architecture).filter((one) => !known.has(one));
  return {
    known: packages.length > 0,
    count: packages.length,
    ...(packages.length > 0 && unknownArchitectures.length > 0 && { unknownArchitectures }),
  };
}

export type PackageRow = Readonly<
  Record<"name" | "version" | "architecture" | "origin" | "distribution", string>
>;

export const installedPackage = ({
  name,
  version,
  architecture,
  origin,
  distribution,
}: PackageRow): InstalledPackage => ({
  name,
  version,
  architecture,
  concerns: ({ artifactName = "", artifactType, artifactArchitecture = "", appliesTo = "" }) =>
    artifactType === "apk" &&
    (artifactName === name || artifactName === origin) &&
    (artifactArchitecture === "" || artifactArchitecture === architecture) &&
    holdsIn(appliesTo, distribution),
});

/** The packages of the image that a tag names; empty if there is no such tag, or no SBOM of its image. */
export async function packagesOfTag(queries: Queries, tag: string): Promise<InstalledPackage[]> {
  const rows = await queries.query<PackageRow>(
    `select name, version, architecture, origin, distribution from image_packages
     where digest in (select unnest(array[t.digest, t.parent || '@' || t.digest]) from tags t where t.uid = $1)
     order by name, architecture`,
    [tag],
  );
  return rows.map(installedPackage);
}
