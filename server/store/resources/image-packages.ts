import type { Queries } from "../database";

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

/** The packages of the image that a tag names; empty if there is no such tag, or no SBOM of its image. */
export async function packagesOfTag(queries: Queries, tag: string): Promise<InstalledPackage[]> {
  const rows = await queries.query<
    Record<"name" | "version" | "architecture" | "origin" | "distribution", string>
  >(
    `select name, version, architecture, origin, distribution from image_packages where digest = (select digest from tags where uid = $1)
     order by name, architecture`,
    [tag],
  );
  return rows.map(({ name, version, architecture, origin, distribution }) => ({
    name,
    version,
    architecture,
    concerns: ({ artifactName = "", artifactType, artifactArchitecture = "", appliesTo = "" }) =>
      artifactType === "apk" &&
      (artifactName === name || artifactName === origin) &&
      (artifactArchitecture === "" || artifactArchitecture === architecture) &&
      holdsIn(appliesTo, distribution),
  }));
}
