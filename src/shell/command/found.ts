import type { QueryClient } from "@tanstack/react-query";

import { parentOf } from "platform-contract/aip";
import { kindOf } from "platform-contract/kinds";

import { readRepoNames } from "~/domains/registry/references/read-repo-names";
import { placeText } from "~/frame/scope/ancestors";
import { readAncestorNames } from "~/frame/scope/read-ancestor-names";
import type { ListAnswer, FoundRow } from "./ask-lists";

/** A record that was found. */
export interface Found {
  readonly collection: string;
  readonly uid: string;
  /** "" if it has none. */
  readonly name: string;
  /** The names of the groups above it: "Meridian Freight / platform". */
  readonly place: string;
}

/** The names of the repos of these tags; empty if they can't be read. */
export async function reposOf(tags: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (tags.length === 0) return new Map();
  return readRepoNames(new Set(tags.map(parentOf))).then(
    ({ names }) => names,
    () => new Map(),
  );
}

/** The name of a tag with that of its repo, as in a reference. */
export const inRepo = ({ uid, name }: FoundRow, repos: ReadonlyMap<string, string>): string | undefined => {
  const repo = repos.get(parentOf(uid));
  return repo === undefined || !name ? undefined : `${repo}:${name}`;
};

/** Adds to rows what they are called and where they are. `known`: names of repos that are known already. */
export async function placed(
  answers: readonly ListAnswer[],
  client: QueryClient,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<Found[]> {
  const rows = answers.flatMap(({ kind, rows }) => rows.map((row) => ({ kind, row })));
  const inRepos = rows.filter(({ kind }) => kind.parent === "repos");
  const unnamed = inRepos.map(({ row: { uid } }) => uid).filter((uid) => !known.has(parentOf(uid)));
  const [names, named] = await Promise.all([
    readAncestorNames(
      client,
      rows.map(({ kind, row: { uid } }) => ({ uid: kind.parent === "repos" ? parentOf(uid) : uid })),
    ).catch(() => new Map<string, string>()),
    reposOf(unnamed),
  ]);
  const repos = new Map([...known, ...named]);
  return rows.map(({ kind: { collection }, row }) => ({
    collection,
    uid: row.uid,
    name: inRepo(row, repos) ?? [row.name, row.componentName].filter(Boolean).join(", "),
    place: placeText({ collection, uid: row.uid }, names),
  }));
}

/** The record whose page shows a result: its parent for a kind without screens. */
export const shownAt = ({ collection, uid }: Pick<Found, "collection" | "uid">) => {
  const kind = kindOf(collection);
  return kind === undefined || kind.screens
    ? { collection, uid }
    : { collection: kind.parent, uid: parentOf(uid) };
};
