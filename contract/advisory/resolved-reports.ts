import * as z from "zod/mini";

import { listEndpoint } from "../resource";
import { NAME_BYTES, text, timestamp, withFormat } from "../schema";
import { severity } from "../vulnerabilities/severity";

/** Maximum number of days that a report can span. */
export const REPORT_DAYS = 366;
const REFERENCES = 100;

/** The error message for an invalid repo in `imageRefs`. */
export const IMAGE_REFERENCE = "must be repos, each written as repo or repo:tag,tag";

const report = z.looseObject({
  /** Midnight in UTC. */
  date: withFormat("timestamp", z.string()),
  resolvedVulns: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        aliases: z.optional(z.array(z.string())),
        cvssSeverities: z.optional(z.array(severity)),
        /** An extension: the tags that got rid of it on this day, each as `<uid of its repo>:<tag>`. */
        resolvedTags: z.optional(z.array(z.string())),
      }),
    ),
  ),
});

/** The vulnerabilities that images got rid of, by day; omits days without any. */
export const listResolvedReports = listEndpoint({
  collection: "resolvedVulnsReports",
  path: "/advisory/v2/images/resolvedVulns",
  access: {
    at: "visible",
    needs: ["CAP_APK_LIST", "CAP_REPO_LIST", "CAP_MANIFEST_METADATA_LIST", "CAP_TAG_LIST"],
  },
  row: report,
  filters: {
    /** `repo[:tag,tag]`; the repo by uid, as `organization/name`, or by a name that is unique among visible repos. */
    imageRefs: z
      .array(
        withFormat(
          "imageRef",
          text({ bytes: NAME_BYTES, pattern: /^[^:]+(?::[^:]+)?$/, sentence: IMAGE_REFERENCE }),
        ),
        IMAGE_REFERENCE,
      )
      .check(
        z.minLength(1, IMAGE_REFERENCE),
        z.maxLength(REFERENCES, `must have at most ${REFERENCES} values`),
      ),
    startTime: timestamp(),
    endTime: timestamp(),
  },
  beside: {
    /**
     * An extension: tags of which the report cannot know what was resolved, each as `<uid of its repo>:<tag>`. They had
     * no image in these days, or the packages of one are unknown.
     */
    unknownTags: z.optional(z.array(z.string())),
  },
  takes: "filters",
  summary: "List the vulnerabilities resolved in images, day by day",
});

export type ResolvedReport = z.infer<typeof report>;
