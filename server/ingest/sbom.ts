import * as z from "zod";

import type { PackageDraft } from "../store/advisory-writes";
import { isApkVersion } from "../store/apk-version";
import type { Format, Taken } from "./formats";
import { readPurl } from "./purl";

/** The apk packages among some package URLs: advisories are only compared with those. */
function packagesOf(purls: readonly (string | undefined)[]): Taken {
  const packages: PackageDraft[] = [];
  const skipped: string[] = [];
  let others = 0;
  for (const text of purls) {
    const purl = text === undefined ? undefined : readPurl(text);
    if (purl?.type !== "apk") {
      others += 1;
      continue;
    }
    const { name, version, qualifiers } = purl;
    const { arch: architecture = "", origin, upstream } = qualifiers;
    if (architecture === "") skipped.push(`${text} has no architecture`);
    else if (!isApkVersion(version)) skipped.push(`${text} has no valid apk version`);
    else packages.push({ architecture, name, version, origin: origin ?? upstream ?? name });
  }
  if (others > 0) skipped.push(`${others} entries that are not apk packages`);
  return { packages, skipped };
}

const spdxDocument = z.object({
  packages: z.array(
    z.object({
      externalRefs: z.array(z.object({ referenceType: z.string(), referenceLocator: z.string() })).optional(),
    }),
  ),
});

export const spdx: Format = {
  name: "SPDX",
  needs: "digest",
  fits: (value) => "spdxVersion" in value,
  read(value) {
    const { packages } = spdxDocument.parse(value);
    return packagesOf(
      packages.map(
        ({ externalRefs = [] }) =>
          externalRefs.find(({ referenceType }) => referenceType === "purl")?.referenceLocator,
      ),
    );
  },
};

const cycloneDxDocument = z.object({
  components: z.array(z.object({ purl: z.string().optional() })).optional(),
});

export const cycloneDx: Format = {
  name: "CycloneDX",
  needs: "digest",
  fits: ({ bomFormat }) => bomFormat === "CycloneDX",
  read: (value) => packagesOf((cycloneDxDocument.parse(value).components ?? []).map(({ purl }) => purl)),
};
