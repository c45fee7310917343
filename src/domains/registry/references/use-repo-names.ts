import { useQueries } from "@tanstack/react-query";

import { shorten } from "~/ui/display/shorten";

import { repoNameQuery } from "./repo-names";

/** The names of repos, by uid; shortened uids until they are read. */
export function useRepoNames(repos: readonly string[]): (repo: string) => string {
  const all = [...new Set(repos)];
  const names = useQueries({ queries: all.map(repoNameQuery) });
  return (repo) => names[all.indexOf(repo)]?.data?.name ?? shorten(repo);
}
