import type { Asked } from "~/api/asked";
import { call } from "~/api/client";
import { repos } from "~/contract/registry/repos";

export interface RepoNames {
  readonly names: ReadonlyMap<string, string>;
  /** The one request for all of them. */
  readonly asked: Asked;
}

/** The names of repos by their uids, 200 at most. */
export async function readRepoNames(uids: ReadonlySet<string>): Promise<RepoNames> {
  const query = { "uidp.ids": [...uids], page_size: uids.size };
  const { items } = await call(repos.list, { query });
  return {
    names: new Map(items.map(({ uid, name }) => [uid, name])),
    asked: { endpoint: repos.list, query },
  };
}
