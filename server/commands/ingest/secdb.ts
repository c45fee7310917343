import * as z from "zod";

import type { AdvisoryDraft, EventDraft } from "../../domains/vulnerabilities/advisory-drafts.table";
import { compareApkVersions, isApkVersion } from "../../platform/store/versions/apk-version";
import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { distributionOfSecdb } from "./package-names";
import { namesOf } from "./vulnerability-ids";

/** https://secdb.alpinelinux.org: which version of which package fixed what. Has no times. */
const database = z.object({
  reponame: z.string().nullish(),
  distroversion: z.string().nullish(),
  urlprefix: z.string().nullish(),
  packages: z.array(z.unknown()),
});
const entry = z.object({
  pkg: z.object({ name: z.string().min(1), secfixes: z.record(z.string(), z.unknown()).nullish() }),
});
const fixesOfVersion = z.array(z.string()).nullable();

const AUTHOR = "Alpine secdb";

const ID = /^(?:CVE-\d{4}-\d{4,}|GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|[A-Z][A-Z0-9]*-[A-Z0-9][A-Z0-9-]*)$/;

/** The ids in a line such as `CVE-2026-10035 XSA-200 (+ regression fix)`, with the usual typing errors corrected. */
function idsIn(line: string): { ids: string[]; others: string[] } {
  const words = line
    .replaceAll(/\([^)]{0,500}\)/g, " ")
    .replaceAll(/\bCVE[ _](?=\d{4}-)/g, "CVE-")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
  return { ids: words.filter((word) => ID.test(word)), others: words.filter((word) => !ID.test(word)) };
}

/** The version of a fix, with `_r0` read as `-r0`; "0" says that nothing was ever affected. Undefined if it is none. */
function versionIn(text: string): string | undefined {
  const version = text.replace(/_r(\d+)$/, "-r$1");
  return version === "0" || isApkVersion(version) ? version : undefined;
}

/** The newer of two versions that fix the same thing. */
const newest = (one: string | undefined, other: string): string =>
  one === undefined || (compareApkVersions(one, other) ?? -1) < 0 ? other : one;

interface Fix {
  readonly ids: readonly string[];
  readonly version: string;
}

/** The fixes of a package, by vulnerability. */
function fixesOf(
  name: string,
  secfixes: Readonly<Record<string, unknown>>,
  skipped: string[],
): Map<string, Fix> {
  const fixes = new Map<string, Fix>();
  for (const [text, list] of Object.entries(secfixes)) {
    const version = versionIn(text);
    const { success, data } = fixesOfVersion.safeParse(list);
    if (version === undefined) skipped.push(`${name} ${text} is not a version of apk`);
    else if (!success) skipped.push(`${name} ${text} has no list of ids`);
    else
      for (const line of data ?? []) {
        const { ids, others } = idsIn(line);
        if (others.length > 0 || ids.length === 0)
          skipped.push(
            `${name} ${text}: ${ids.length === 0 ? `no id in ${line}` : `skipped ${others.join(" ")}`}`,
          );
        const { vulnerability } = namesOf(ids);
        const known = fixes.get(vulnerability);
        if (vulnerability !== "")
          fixes.set(vulnerability, {
            ids: [...new Set([...(known?.ids ?? []), ...ids])],
            version: newest(known?.version, version),
          });
      }
  }
  return fixes;
}

const eventOf = (version: string): EventDraft =>
  version === "0"
    ? {
        type: "falsePositiveDetermination",
        data: { type: "TYPE_VULNERABLE_CODE_VERSION_NOT_USED" },
        author: AUTHOR,
      }
    : { type: "fixed", data: { fixedVersion: version }, author: AUTHOR };

export const secdb: Format = {
  name: "Alpine secdb",
  needs: "group",
  fits: ({ packages, spdxVersion }) =>
    Array.isArray(packages) &&
    spdxVersion === undefined &&
    (packages.length === 0 || packages.some((one) => Object(one).pkg !== undefined)),
  read(value) {
    const { packages, reponame, distroversion, urlprefix } = database.parse(value);
    const skipped: string[] = [];
    const advisories = entriesOf(entry, packages, "packages", skipped).flatMap(
      ({ pkg: { name, secfixes } }): AdvisoryDraft[] => {
        if (!secfixes) {
          skipped.push(`${name} has no fixes`);
          return [];
        }
        return [...fixesOf(name, secfixes, skipped).values()].map(({ ids, version }) => ({
          ...namesOf(ids),
          author: AUTHOR,
          artifactName: name,
          artifactType: "apk",
          componentName: name,
          componentType: "apk",
          namespace: reponame ?? "",
          appliesTo: distributionOfSecdb(distroversion ?? "", urlprefix ?? ""),
          events: [eventOf(version)],
        }));
      },
    );
    return { advisories, skipped };
  },
};
