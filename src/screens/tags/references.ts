import type { QueryClient } from "@tanstack/react-query";

import { parentOf, rootOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { copyText } from "~/ui/display/copy-text";
import { groupQuery } from "~/features/scope/group-ancestry";
import { referenceText, repoPath } from "~/features/registry/pull-reference";
import { repoNameQuery } from "~/features/registry/repo-names";

/** How a tag is pulled, by its name and by its digest. */
export interface References {
  readonly byTag: string | undefined;
  readonly byDigest: string | undefined;
}

/** The references of a tag, or why there are none, in a sentence. */
export function referencesOf(
  { name: tag, digest }: Tag,
  names: { readonly organization: string | undefined; readonly repo: string | undefined },
  host: string | undefined,
): References | string {
  const { organization, repo } = names;
  if (organization === undefined)
    return "The name of the organization is part of a reference, and you may not see it.";
  if (repo === undefined) return "The name of the repo is part of a reference, and you may not see it.";
  const path = repoPath(organization, repo);
  if (path === undefined) return "The name of the organization cannot stand in a reference.";
  return {
    byTag: tag === "" ? undefined : referenceText({ host, path, name: { tag } }),
    byDigest: digest && referenceText({ host, path, name: { digest } }),
  };
}

/** The names that a reference consists of: undefined what is not to be seen. */
export async function referenceNames(client: QueryClient, { uid }: Tag) {
  const repo = parentOf(uid);
  const [organization, named] = await Promise.all([
    client.ensureQueryData(groupQuery(rootOf(repo))).then(
      ({ name }) => name,
      () => undefined,
    ),
    client.ensureQueryData(repoNameQuery(repo)).catch(() => undefined),
  ]);
  return { organization, repo: named?.name };
}

/** Copies a reference; where there is none `explain` says why. */
export async function copyReference(
  client: QueryClient,
  tag: Tag,
  by: keyof References,
  { host, explain }: { readonly host: string | undefined; readonly explain: () => void },
): Promise<void> {
  const references = referencesOf(tag, await referenceNames(client, tag), host);
  const text = typeof references === "string" ? undefined : references[by];
  if (text === undefined) explain();
  else
    await copyText(text, host === undefined ? "reference; the registry host is not configured" : "reference");
}
