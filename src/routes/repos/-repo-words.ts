import type { CATALOG_TIERS, Repo } from "~/contract/registry/repos";
import { shorten } from "~/kit/shorten";

/** The catalog tiers: how each stands in the address, in the API, and on screen. */
export const TIERS = [
  { value: "application", tier: "CATALOG_TIER_APPLICATION", label: "Application" },
  { value: "base", tier: "CATALOG_TIER_BASE", label: "Base" },
  { value: "fips", tier: "CATALOG_TIER_FIPS", label: "FIPS" },
  { value: "ai", tier: "CATALOG_TIER_AI", label: "AI and ML" },
  { value: "devtools", tier: "CATALOG_TIER_DEVTOOLS", label: "Developer tools" },
  { value: "commercial", tier: "CATALOG_TIER_COMMERCIAL", label: "Commercial" },
  { value: "none", tier: "CATALOG_TIER_UNSPECIFIED", label: "none" },
] as const satisfies readonly { value: string; tier: (typeof CATALOG_TIERS)[number]; label: string }[];
export type TierFilter = (typeof TIERS)[number]["value"];

/** A repo without a tier: the zero value of an enum is one that is not set (contract 0.2). */
export const NO_TIER = "CATALOG_TIER_UNSPECIFIED";

/** The tier in words, also of one that only a newer service knows; undefined for none. */
export function tierWord(tier: string | null | undefined): string | undefined {
  if (!tier || tier === NO_TIER) return undefined;
  const known = TIERS.find((each) => each.tier === tier);
  return (
    known?.label ??
    tier
      .replace(/^CATALOG_TIER_/, "")
      .toLowerCase()
      .replaceAll("_", " ")
  );
}

/** What to call a repo; servers leave out what is empty, a name included. */
export const nameOf = ({ uid, name }: Pick<Repo, "uid"> & { readonly name?: string | undefined }): string =>
  name || shorten(uid);

/** Whether it copies another repo. */
export const isSynced = ({ sync_config }: Pick<Repo, "sync_config">): boolean => Boolean(sync_config?.source);

/** Why the readme of such a one cannot be written. */
export const SYNCED_README = "The readme of a synced repo is that of its source";
