import type { QueryClient } from "@tanstack/react-query";

import { rowsOf } from "~/api/queries/queries";
import { parentOf, rootOf } from "platform-contract/aip";
import type { Group } from "platform-contract/iam/groups";
import type { Tag } from "platform-contract/registry/tags";
import { copyText } from "~/ui/display/copy-text";

import { ancestorsQuery } from "~/frame/scope/group-ancestry";
import { referenceText, repoPath } from "./pull-reference";
import { repoNameQuery } from "./repo-names";

/** The names in the path of a repo; undefined if not visible to the user. */
export interface ReferenceNames {
  readonly organization: string | undefined;
  /** What the organization is called in the registry; undefined if none is connected. */
  readonly namespace?: string | undefined;
  readonly repo: string | undefined;
}

/** What the organization of these groups is called in the registry: each of them says it, also a folder. */
export const namespaceIn = (groups: readonly Pick<Group, "namespace">[]): string | undefined =>
  groups.find(({ namespace }) => namespace !== undefined)?.namespace;

/** What a record's organization is called; undefined if not visible to the user. */
export const organizationNames = (
  client: QueryClient,
  uid: string,
): Promise<Pick<ReferenceNames, "organization" | "namespace">> =>
  client.ensureInfiniteQueryData(ancestorsQuery(uid)).then(
    (data) => {
      const { rows } = rowsOf(data);
      const own = rows.find((group) => group.uid === rootOf(uid));
      return { organization: own?.name, namespace: namespaceIn(rows) };
    },
    () => ({ organization: undefined }),
  );

/** What somebody lacks whose access begins at a folder, where the folder doesn't say what its organization is called. */
const HIDDEN_ORGANIZATION =
  "The reference contains the organization's name. You can only see a folder of it: ask someone with access to the whole organization for the name.";

/** The path of a repo in the registry, or why it has none, in a sentence. */
export function registryPath(names: ReferenceNames): { readonly path?: string; readonly problem: string } {
  const { organization, namespace, repo } = names;
  if (repo === undefined) return { problem: "The reference contains the repo's name, which you can't see." };
  if (organization === undefined && namespace === undefined) return { problem: HIDDEN_ORGANIZATION };
  const path = repoPath(organization ?? "", repo, namespace);
  return path === undefined
    ? { problem: "The organization's name has no characters allowed in a reference." }
    : { path, problem: "" };
}

/** Copies a reference, with a note if it lacks the registry's address. */
export const copyReference = (reference: string, host: string | undefined): Promise<void> =>
  copyText(
    reference,
    host === undefined ? "reference. The registry address is missing from it." : "reference",
  );

/** References to pull a tag by its name and by its digest. */
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
    organizationNames(client, repo),
    client.ensureQueryData(repoNameQuery(repo)).catch(() => undefined),
  ]);
  return { ...organization, repo: named?.name };
}
