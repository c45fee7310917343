import type { QueryClient } from "@tanstack/react-query";

import { one } from "~/api/queries/queries";
import { getReadme, repos, updateReadme, type Repo } from "platform-contract/registry/repos";
import { NO_TIER, TIERS } from "~/domains/registry/references/tiers";
import { ALL_KINDS, tags } from "platform-contract/registry/tags";
import { defineScreens } from "~/frame/define";
import { readTime } from "~/ui/display/time-text";
import { choice, contains, exact, pinned, searched, type SearchOf } from "~/frame/list/filters";

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

export const loadDrawers = () => import("./drawers");

const screens = defineScreens(repos, {
  drawers: { load: async () => (await loadDrawers()).RepoDrawers, page: ["readme"] },
  filters,
  deletion: {
    consequence: "Pulls from this repo will fail. This can't be undone.",
    typeName: "always",
    counts: {
      list: tags.list,
      query: (uid) => ({ "uidp.children_of": uid, ...ALL_KINDS }),
      what: "tags",
      one: "tag is deleted too",
      many: "tags are deleted too",
      none: "It has no tags.",
    },
  },
});
export const repoScreens = {
  ...screens,
  startRecord(client: QueryClient, uid: string): void {
    screens.startRecord(client, uid);
    void client.prefetchQuery(readmeQuery(uid));
  },
};
