import { call } from "~/api/client";
import { repos } from "~/contract/registry/repos";

/** The names of repos by their uids, 200 at most. */
export async function readRepoNames(uids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const { items } = await call(repos.list, { query: { "uidp.ids": [...uids], page_size: uids.size } });
  return new Map(items.map(({ uid, name }) => [uid, name]));
}
