import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { KINDS } from "../kinds";
import { common, resource, type InputOf, type ItemOf } from "../resource";
import { NAME_BYTES, openEnum, text } from "../schema";
import { customOverlay } from "./overlay";

export const CATALOG_TIERS = [
  "CATALOG_TIER_UNSPECIFIED",
  "CATALOG_TIER_APPLICATION",
  "CATALOG_TIER_BASE",
  "CATALOG_TIER_FIPS",
  "CATALOG_TIER_AI",
  "CATALOG_TIER_DEVTOOLS",
  "CATALOG_TIER_COMMERCIAL",
] as const;

/** One path segment of an image reference (OCI distribution specification, "Pulling manifests"). */
const REPO_NAME = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const README_BYTES = 256_000;

const labels = () =>
  z
    .array(text({ bytes: NAME_BYTES }), "must be a list")
    .check(z.maxLength(1_000, "must have at most 1000 entries"));

export const syncSource = text({ sentence: "required", pattern: /\S/, bytes: NAME_BYTES });

/** The key keeps its snake_case spelling in requests, responses and masks; its own fields do not. */
const syncConfig = z.object(
  {
    source: syncSource,
    uniqueTags: z.optional(z.boolean()),
    expirationTime: z.optional(z.string()),
    google: z.optional(text({ bytes: NAME_BYTES })),
    amazon: z.optional(text({ bytes: NAME_BYTES })),
    azure: z.optional(text({ bytes: NAME_BYTES })),
    apkoOverlay: z.optional(z.string()),
    gracePeriod: z.optional(z.boolean()),
  },
  "must be an object",
);

/** The fields of `sync_config` that only the service sets. */
export const SYNC_OUTPUT = ["uniqueTags", "expirationTime", "apkoOverlay", "gracePeriod"] as const;

/** The fields that a synced repo inherits from its source; callers cannot change them. */
export const INHERITED = ["catalogTier", "bundles", "aliases", "activeTags"] as const;

/** Image repositories. */
export const repos = resource({
  kind: KINDS.repos,
  settable: {
    name: text({
      pattern: REPO_NAME,
      sentence: "must be lowercase letters and digits, separated by dots, underscores or dashes",
      bytes: 255,
    }),
    description: z.optional(text()),
    catalogTier: z.optional(openEnum(CATALOG_TIERS)),
    bundles: z.optional(labels()),
    aliases: z.optional(labels()),
    activeTags: z.optional(labels()),
    sync_config: z.optional(syncConfig),
    customOverlay: z.optional(customOverlay),
  },
  output: {},
  filters: { name: z.optional(z.string()) },
  affects: ["tags", "readmes"],
});

export type Repo = ItemOf<typeof repos>;
export type RepoInput = InputOf<typeof repos>;

const readme = z.looseObject({ ...common, content: z.optional(z.string()) });

export const readmeRequest = z.object({ content: z.optional(text({ bytes: README_BYTES })) });

/** The readme of a repo, with the uid of the repo. A readme that was never written is empty, with the repo's times. */
export const getReadme = endpoint({
  collection: "repos",
  verb: "getReadme",
  method: "GET",
  path: "/registry/v2/repos/{uid}/readme",
  access: { at: "uid", needs: ["CAP_REPO_LIST"] },
  answer: readme,
  summary: "Get the readme of a repo",
});

/** The published sources also need a capability that no role holds; callers can update readmes all the same. */
export const updateReadme = endpoint({
  collection: "repos",
  verb: "updateReadme",
  method: "PATCH",
  path: "/registry/v2/repos/{uid}/readme",
  access: { at: "uid", needs: ["CAP_REPO_UPDATE"] },
  query: { updateMask: z.optional(z.string()) },
  body: readmeRequest,
  answer: readme,
  summary: "Update the readme of a repo",
});
