import * as z from "zod/mini";

import { listEndpoint } from "../resource";
import { listResolvedReports } from "../advisory/resolved-reports";
import { NAME_BYTES, openEnum, text } from "../schema";
import { installedVersion, VERSION_VERDICTS } from "./advisories";

/** Maximum number of values per filter. */
const MOST = 100;
const names = () =>
  z.optional(
    z.array(text({ bytes: NAME_BYTES })).check(z.maxLength(MOST, `must have at most ${MOST} values`)),
  );

export const PACKAGE_TAG_ORDERS = ["uid", "name", "created_at", "updated_at"];

const packageTag = z.looseObject({
  /** Of the tag. */
  uid: z.string(),
  name: z.optional(z.string()),
  digest: z.optional(z.string()),
  deprecated: z.optional(z.boolean()),
  repoName: z.optional(z.string()),
  /**
   * The packages of its image that are asked about, without verdicts if no advisories were named; empty if the packages of
   * the image are unknown.
   */
  packages: z.optional(z.array(installedVersion)),
});
export type PackageTag = z.infer<typeof packageTag>;

/**
 * An extension: the tags whose images hold a package that advisories are about, or that is named itself. An advisory
 * applies to the tags of its group and below. Needs `advisories.list` and what a report of an image needs.
 */
export const listPackageTags = listEndpoint({
  collection: "packageTags",
  path: "/image-packages/v1/tags",
  access: { at: "visible", needs: ["CAP_ADVISORIES_LIST", ...listResolvedReports.access.needs] },
  row: packageTag,
  filters: {
    /** The advisories, as in their own list: those with one of these names, ids, or artifacts. */
    aliases: names(),
    advisoryIds: names(),
    artifactNames: names(),
    /**
     * An apk package, or what it is built from, and its version; without `-r0`, any revision. In place of advisories, or
     * beside them: then only tags that hold it too.
     */
    packageName: z.optional(text({ bytes: NAME_BYTES })),
    packageVersion: z.optional(text({ bytes: NAME_BYTES })),
    /**
     * The worst verdict of the image. `VERSION_VERDICT_UNKNOWN` includes images whose packages are unknown, also of one
     * architecture; of a named package, only these. By default, all images that hold such a package.
     */
    verdict: z.optional(openEnum(VERSION_VERDICTS)),
    /**
     * Of the tags of `VERSION_VERDICT_UNKNOWN`, true: only those that hold such a package, of which an advisory doesn't
     * decide; false: only those whose packages are unknown.
     */
    undecided: z.optional(z.boolean("must be true or false")),
  },
  sortable: PACKAGE_TAG_ORDERS,
  summary: "List the tags whose images hold a package, or one that advisories are about",
});
