import type { CATALOG_TIERS } from "platform-contract/registry/repos";

/** Tier of a repo without one: the zero value of an enum means unset. */
export const NO_TIER = "CATALOG_TIER_UNSPECIFIED";
/** The catalog tiers, with their values in the address and in the API, and their labels. */
export const TIERS = [
  { value: "application", tier: "CATALOG_TIER_APPLICATION", label: "Application" },
  { value: "base", tier: "CATALOG_TIER_BASE", label: "Base" },
  { value: "fips", tier: "CATALOG_TIER_FIPS", label: "FIPS" },
  { value: "ai", tier: "CATALOG_TIER_AI", label: "AI and ML" },
  { value: "devtools", tier: "CATALOG_TIER_DEVTOOLS", label: "Developer tools" },
  { value: "commercial", tier: "CATALOG_TIER_COMMERCIAL", label: "Commercial" },
  { value: "none", tier: NO_TIER, label: "none" },
] as const satisfies readonly { value: string; tier: (typeof CATALOG_TIERS)[number]; label: string }[];

/** Label of a tier, even one that only a newer service knows; undefined if there is none. */
export function tierWord(tier: string | null | undefined): string | undefined {
  if (!tier || tier === NO_TIER) return undefined;
  const known = TIERS.find((each) => each.tier === tier)?.label;
  return (
    known ??
    tier
      .replace(/^CATALOG_TIER_/, "")
      .toLowerCase()
      .replaceAll("_", " ")
  );
}
