import type { QueryClient } from "@tanstack/react-query";

import { one } from "~/api/queries/queries";
import { getReadme, repos, updateReadme, type CATALOG_TIERS, type Repo } from "~/contract/registry/repos";
import { defineScreens } from "~/resource/define";
import { readTime } from "~/ui/display/time-text";
import { choice, contains, exact, pinned, searched, type SearchOf } from "~/resource/list/filters";

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

/** True if it copies another repo. */
export const isSynced = ({ sync_config }: Pick<Repo, "sync_config">): boolean => Boolean(sync_config?.source);
/** The end of a sync counts as soon this many days before. */
export const SYNC_ENDS = 30;

/** True if a repo's sync has stopped or will soon: its source no longer updates it then. */
export function syncStops({ sync_config }: Pick<Repo, "sync_config">, now: number): boolean {
  const end = readTime(sync_config?.expirationTime);
  return end !== undefined && end.getTime() - now <= SYNC_ENDS * 86_400_000;
}

/** Why the readme of a synced repo cannot be edited. */
export const SYNCED_README = "The readme of a synced repo comes from its source";

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(
    contains<Repo>("Name, description or alias", ({ name, description, aliases = [] }) => [
      name,
      description,
      ...aliases,
    ]),
  ),
  tier: pinned(
    choice<Repo>("Tier", TIERS, {
      matches: (value) => {
        const wanted = TIERS.find((each) => each.value === value)?.tier;
        return ({ catalogTier }) => (catalogTier || NO_TIER) === wanted;
      },
    }),
  ),
  sync: choice<Repo>("Sync", [{ value: "stopping", label: `stopped or stopping in ${SYNC_ENDS} days` }], {
    matches: () => {
      const now = Date.now();
      return (repo) => syncStops(repo, now);
    },
  }),
};
export type RepoSearch = SearchOf<typeof filters>;

/** Readmes have the uids of their repos, so they are cached under a collection of their own. */
export const readmes = {
  collection: "readmes",
  affects: [],
  get: { ...getReadme, collection: "readmes" },
  update: updateReadme,
};
export const readmeQuery = (uid: string) => one(readmes.get, { uid });
/** Query key of the tag data in repo rows. Under "tags", so that writes to tags invalidate it. */
export const TAGS_OF_ROWS = ["tags", "of rows"] as const;

const screens = defineScreens(repos, {
  drawers: async () => (await import("./drawers")).RepoDrawers,
  filters,
  order: "name",
  pageDrawers: ["readme"],
});
export const repoScreens = {
  ...screens,
  startRecord(client: QueryClient, uid: string): void {
    screens.startRecord(client, uid);
    void client.prefetchQuery(readmeQuery(uid));
  },
};
