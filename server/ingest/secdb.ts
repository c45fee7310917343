import * as z from "zod";

import type { AdvisoryDraft } from "../store/advisory-writes";
import { compareApkVersions } from "../store/apk-version";
import type { Format } from "./formats";
import { namesOf } from "./vulnerability-ids";

/** https://secdb.alpinelinux.org: which version of which package fixed what. Has no times. */
const database = z.object({
  reponame: z.string().optional(),
  packages: z.array(
    z.object({
      pkg: z.object({
        name: z.string().min(1),
        secfixes: z.record(z.string(), z.array(z.string()).nullable()).optional(),
      }),
    }),
  ),
});

const AUTHOR = "Alpine secdb";

/** The newer of two versions that fix the same thing. */
const newest = (one: string | undefined, other: string): string =>
  one === undefined || (compareApkVersions(one, other) ?? -1) < 0 ? other : one;

export const secdb: Format = {
  name: "Alpine secdb",
  needs: "group",
  fits: ({ packages, spdxVersion }) =>
    Array.isArray(packages) &&
    spdxVersion === undefined &&
    packages.every((one) => Object(one).pkg !== undefined),
  read(value) {
    const { packages, reponame = "" } = database.parse(value);
    const skipped: string[] = [];
    const advisories = packages.flatMap(({ pkg: { name, secfixes } }): AdvisoryDraft[] => {
      if (!secfixes) {
        skipped.push(`${name} has no fixes`);
        return [];
      }
      const fixes = new Map<string, { ids: string; version: string }>();
      for (const [version, entries] of Object.entries(secfixes))
        for (const ids of entries ?? []) {
          const { vulnerability } = namesOf(ids.split(/\s+/));
          if (vulnerability === "") skipped.push(`${name} ${version} has a fix without an id`);
          else fixes.set(vulnerability, { ids, version: newest(fixes.get(vulnerability)?.version, version) });
        }
      return [...fixes.values()].map(({ ids, version }) => ({
        ...namesOf(ids.split(/\s+/)),
        author: AUTHOR,
        artifactName: name,
        artifactType: "apk",
        componentName: name,
        componentType: "apk",
        namespace: reponame,
        events: [
          version === "0"
            ? {
                type: "falsePositiveDetermination" as const,
                data: { type: "TYPE_VULNERABLE_CODE_VERSION_NOT_USED" },
                author: AUTHOR,
              }
            : { type: "fixed" as const, data: { fixedVersion: version }, author: AUTHOR },
        ],
      }));
    });
    return { advisories, skipped };
  },
};
