import { thePast } from "~/api/client/moment";
import { byUids, requestByUids } from "~/api/queries/by-uids";
import type { RequestInfo } from "platform-client/request-info";
import { repos } from "platform-contract/registry/repos";

export interface RepoNames {
  readonly names: ReadonlyMap<string, string>;
  /** The request for the names, or the first of several. */
  readonly asked: RequestInfo;
}

/** The names of repos by their uids. */
export async function readRepoNames(uids: ReadonlySet<string>): Promise<RepoNames> {
  const found = await byUids(repos.list, uids, undefined, thePast()?.comparing(repos.list));
  return {
    names: new Map(found.map(({ uid, name }) => [uid, name])),
    asked: requestByUids(repos.list, uids),
  };
}
