import { queryOptions } from "@tanstack/react-query";

/** As many uids as one request takes (contract 0.4), and how long others are waited for, in ms. */
const MOST = 200;
const WAIT = 50;

interface Batch {
  readonly uids: Set<string>;
  readonly names: Promise<ReadonlyMap<string, string>>;
}

let open: Batch | undefined;

/** The name of a repo, in one request with all others that are asked for in the same moment. */
function nameOf(uid: string): Promise<string | undefined> {
  if (open === undefined || open.uids.size >= MOST) {
    const uids = new Set<string>();
    // Rows do not wait for it: what repos are is not loaded before them.
    const code = import("./read-repo-names");
    const names = new Promise((resolve) => setTimeout(resolve, WAIT)).then(async () => {
      if (open === batch) open = undefined;
      return (await code).readRepoNames(uids);
    });
    const batch: Batch = { uids, names };
    open = batch;
  }
  open.uids.add(uid);
  return open.names.then((names) => names.get(uid));
}

/** What a repo is called; no name where there is none that the caller may see. */
export const repoNameQuery = (uid: string) =>
  queryOptions({
    queryKey: ["repos", "name", uid] as const,
    queryFn: async () => ({ name: await nameOf(uid) }),
  });
