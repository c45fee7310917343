import type { QueryClient } from "@tanstack/react-query";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { referenceText } from "~/features/registry/pull-reference";
import { organizationName, registryPath, type ReferenceNames } from "~/features/registry/references";
import { repoNameQuery } from "~/features/registry/repo-names";

export { copyReference } from "~/features/registry/references";

/** How a tag is pulled, by its name and by its digest. */
export interface References {
  readonly byTag: string | undefined;
  readonly byDigest: string | undefined;
}

/** The references of a tag, or why there are none, in a sentence. */
export function referencesOf(
  { name: tag, digest }: Tag,
  names: ReferenceNames,
  host: string | undefined,
): References | string {
  const { path, problem } = registryPath(names);
  if (path === undefined) return problem;
  return {
    byTag: tag === "" ? undefined : referenceText({ host, path, name: { tag } }),
    byDigest: digest && referenceText({ host, path, name: { digest } }),
  };
}

/** The names in the references of the tag `uid`. */
export async function referenceNames(client: QueryClient, uid: string): Promise<ReferenceNames> {
  const repo = parentOf(uid);
  const [organization, named] = await Promise.all([
    organizationName(client, repo),
    client.ensureQueryData(repoNameQuery(repo)).catch(() => undefined),
  ]);
  return { organization, repo: named?.name };
}
