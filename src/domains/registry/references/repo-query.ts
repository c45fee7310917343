import { one } from "~/api/queries/queries";
import { repos, type Repo } from "platform-contract/registry/repos";
import { shorten } from "~/ui/display/shorten";

/** Reads one repo. */
export const repoQuery = (uid: string) => one(repos.get, { uid });

/** The name of a repo, or its shortened uid if it has none. */
export const repoName = ({ uid, name }: Pick<Repo, "uid" | "name">): string => name || shorten(uid);
