import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { listEndpoint } from "../resource";
import { answeredEnum, NAME_BYTES, openEnum, text } from "../schema";

export const JAVA = "ECOSYSTEM_JAVA";
export const PYTHON = "ECOSYSTEM_PYTHON";
export const ECOSYSTEMS = [JAVA, PYTHON] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** Artifacts are in no group: a caller who holds the capability anywhere sees all of them. */
export const LIBRARIES_ACCESS = { at: "visible", needs: ["CAP_LIBRARIES_ARTIFACTS_LIST"] } as const;

const ASKED = "must name ECOSYSTEM_JAVA, ECOSYSTEM_PYTHON or both";
const ASKED_ECOSYSTEMS = ["ECOSYSTEM_UNSPECIFIED", ...ECOSYSTEMS] as const;
const ecosystems = z
  .array(openEnum(ASKED_ECOSYSTEMS), ASKED)
  .check(z.refine((values) => values.some((value) => value !== "ECOSYSTEM_UNSPECIFIED"), ASKED));

const artifact = z.looseObject({
  /** `python:requests`, `java:org.slf4j:slf4j-api` */
  uid: z.string(),
  name: z.string(),
  /** Of the newest version. */
  description: z.optional(z.string()),
  ecosystem: z.optional(answeredEnum(ASKED_ECOSYSTEMS)),
  latestVersion: z.optional(z.string()),
  versionCount: z.optional(z.number()),
  /** When the first and the latest version were published. */
  createTime: z.optional(z.string()),
  updateTime: z.optional(z.string()),
});

/** Packages that can be installed from the registry. */
export const listArtifacts = listEndpoint({
  collection: "artifacts",
  path: "/libraries/v2/artifacts",
  access: LIBRARIES_ACCESS,
  row: artifact,
  filters: {
    ecosystems,
    query: z.optional(text({ bytes: NAME_BYTES })),
    cudaVersion: z.optional(text({ bytes: NAME_BYTES })),
    remediated: z.optional(z.boolean("remediated must be true or false")),
  },
  takes: "pages",
  sortable: ["name", "uid", "created_at", "updated_at", "version_count"],
  summary: "List artifacts by ecosystem",
});

export const countArtifacts = endpoint({
  collection: "artifacts",
  verb: "count",
  method: "GET",
  path: "/libraries/v2/artifacts/count",
  access: LIBRARIES_ACCESS,
  query: { ecosystems },
  answer: z.looseObject({
    counts: z.optional(
      z.array(
        z.looseObject({
          ecosystem: answeredEnum(ASKED_ECOSYSTEMS),
          totalCount: z.optional(z.union([z.string(), z.number()])),
        }),
      ),
    ),
  }),
  summary: "Count artifacts by ecosystem",
});

export type Artifact = z.infer<typeof artifact>;
