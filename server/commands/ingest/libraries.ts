import * as z from "zod";

import { ECOSYSTEMS, JAVA } from "platform-contract/libraries/artifacts";

import type { VersionDraft } from "../../domains/registry/artifact-writes.table";
import { versionKey } from "../../platform/store/versions/version-key";
import type { Format } from "./formats";

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** An artifact and some of its versions (docs/operate/ingest.md); other records can add more. */
const record = z.object({
  ecosystem: z.enum(ECOSYSTEMS),
  name: z.string().max(300),
  versions: z.array(
    z.object({
      version: z.string(),
      description: z.string().max(100_000).default(""),
      // An int64, as the API writes it.
      sizeBytes: z
        .union([z.int().min(0), z.string().regex(/^\d{1,18}$/, "must be a whole number")])
        .default(0),
      createTime: time,
      updateTime: time.optional(),
      remediated: z.boolean().default(false),
      cudaVersions: z
        .array(z.string().regex(/^\d+(\.\d+)*$/, "must be CUDA versions"))
        .max(50)
        .default([]),
    }),
  ),
});

// PEP 508, "Names"; POM reference, "Maven Coordinates".
const PYTHON_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const JAVA_NAME = /^[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+$/;

export const libraries: Format = {
  name: "libraries",
  fits: ({ ecosystem, versions }) => typeof ecosystem === "string" && Array.isArray(versions),
  read(value) {
    const { ecosystem, name, versions } = record.parse(value);
    if (!(ecosystem === JAVA ? JAVA_NAME : PYTHON_NAME).test(name))
      return { skipped: [`${JSON.stringify(name)} is not a valid ${ecosystem} name`] };
    const skipped: string[] = [];
    const drafts = versions.flatMap((one): VersionDraft[] => {
      const sortKey = versionKey(ecosystem, one.version);
      if (sortKey === undefined) {
        skipped.push(`${name} ${one.version} has no valid ${ecosystem} version`);
        return [];
      }
      const { version, description, sizeBytes, remediated, cudaVersions } = one;
      const { createTime: createdAt, updateTime: updatedAt = createdAt } = one;
      return [
        {
          ecosystem,
          name,
          version,
          sortKey,
          description,
          sizeBytes: String(sizeBytes),
          remediated,
          cudaVersions,
          createdAt,
          updatedAt,
        },
      ];
    });
    return { versions: drafts, skipped };
  },
};
