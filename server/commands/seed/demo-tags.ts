import { chance } from "./demo-chance";
import type { DemoRepo } from "./demo-registry-data";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface DemoTag {
  readonly name: string;
  /** The build that it points to. */
  readonly build: string;
  readonly deprecated: boolean;
  readonly at: Date;
}

/**
 * The tags of a repo: every patch with its builds (`1.2.3-r0`), tags that move with them (`1.2.3`, `1.2`, `latest`),
 * each with a -dev variant, and dated snapshots of `latest`.
 */
export function tagsOf({ name: repo, versions, ended }: DemoRepo, start: number): DemoTag[] {
  const tags: DemoTag[] = [];
  const total = versions.reduce((sum, [, patches]) => sum + patches, 0);
  let done = 0;
  for (const [index, [minor, patches]] of versions.entries()) {
    const deprecated = index < ended;
    const last = index === versions.length - 1;
    for (let patch = 0; patch < patches; patch++) {
      const version = `${minor}.${patch}`;
      const at = new Date(
        start - ((total - done++) / total) * 700 * DAY - chance(`${repo} ${version}`, 24) * HOUR,
      );
      for (const variant of ["", "-dev"]) {
        const builds = 1 + chance(`${repo} ${version} builds`, 3);
        const build = `${version}${variant}-r${builds - 1}`;
        const put = (name: string, of = build) => tags.push({ name, build: of, deprecated, at });
        for (let epoch = 0; epoch < builds; epoch++)
          put(`${version}${variant}-r${epoch}`, `${version}${variant}-r${epoch}`);
        put(`${version}${variant}`);
        if (patch === patches - 1) put(`${minor}${variant}`);
        if (last && patch === patches - 1) put(`latest${variant}`);
        if (last && variant === "") put(`latest-${at.toISOString().slice(0, 10).replaceAll("-", "")}`);
      }
    }
  }
  // Two patches may have been released on one day.
  return [...new Map(tags.map((tag) => [tag.name, tag])).values()];
}

/** The version of the package that an image is built for: `1.2.3-dev-r0` has 1.2.3-r0. */
export const versionOf = (build: string): string => build.replace("-dev", "");

/** What a repo has published, oldest first; ages are in days. */
export const releasesOfRepo = (repo: DemoRepo): { version: string; age: number }[] =>
  tagsOf(repo, 0)
    .filter(({ name, build }) => name === build && name === versionOf(build))
    .map(({ build, at }) => ({ version: build, age: -at.getTime() / DAY }));
