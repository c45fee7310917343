import type { LinkTarget } from "~/ui/layout/link";
import { uidToParam } from "~/frame/scope/uid-param";

export const PULL_TOKEN = "pull-token";

/** Opens the dialog for a folder, or for a repo with `repo`. */
export const pullTokenFor = (group: string, repo?: string): LinkTarget => ({
  to: "/identities",
  search: {
    group: uidToParam(group),
    drawer: PULL_TOKEN,
    ...(repo !== undefined && { item: uidToParam(repo) }),
  },
});
