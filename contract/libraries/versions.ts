import * as z from "zod/mini";

import { listEndpoint } from "../resource";
import { LIBRARIES_ACCESS } from "./artifacts";

/** An ecosystem, and a name in it. */
export const ARTIFACT_ID = /^[a-z]+:[^/\s\0]{1,500}$/;

const version = z.looseObject({
  /** `python:requests@2.32.3` */
  uid: z.string(),
  /** Of the artifact. */
  name: z.string(),
  version: z.string(),
  description: z.optional(z.string()),
  createTime: z.optional(z.string()),
  updateTime: z.optional(z.string()),
  /** An int64 in a string. */
  sizeBytes: z.optional(z.union([z.string(), z.number()])),
});

/** The versions of an artifact, newest first; NOT_FOUND if there is no such artifact. */
export const listArtifactVersions = listEndpoint({
  collection: "artifactVersions",
  path: "/libraries/v2/artifacts/{artifactId}/versions",
  variables: {
    artifactId: {
      pattern: ARTIFACT_ID,
      sentence: "must be the uid of an artifact, such as python:requests",
      description: "The uid of an artifact",
    },
  },
  access: LIBRARIES_ACCESS,
  row: version,
  filters: {},
  takes: "pages",
  sortable: ["version", "uid", "created_at", "updated_at", "size_bytes"],
  summary: "List the versions of an artifact",
});

export type ArtifactVersion = z.infer<typeof version>;
