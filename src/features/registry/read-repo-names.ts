import type { RequestInfo } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { repos } from "~/contract/registry/repos";

export interface RepoNames {
  readonly names: ReadonlyMap<string, string>;
  /** The request for all of them. */
  readonly asked: RequestInfo;
}

/** The names of repos by their uids, 200 at most. */
export async function readRepoNames(uids: ReadonlySet<string>): Promise<RepoNames> {
  const query = { "uidp.ids": [...uids], page_size: uids.size };
  const names = new Map<string, string>();
  let token: string | undefined;
  do {
    const page = { ...query, ...(token !== undefined && { page_token: token }) };
    // oxlint-disable-next-line no-await-in-loop -- a page with large records holds fewer rows than asked for
    const { items, nextPageToken } = await call(repos.list, { query: page });
    for (const { uid, name } of items) names.set(uid, name);
    token = nextPageToken === token ? undefined : nextPageToken;
  } while (token !== undefined);
  return {
    names,
    asked: { endpoint: repos.list, query },
  };
}
