import { repos } from "platform-contract/registry/repos";

import { holdsAll, noteUse, type Caller } from "../../platform/access/caller";
import type { RegistryAction, RepositoryScope } from "../../platform/registry/names";
import type { RegistryAccess } from "../../platform/registry/tokens";
import type { Queries } from "../../platform/store/database";
import { outstandingTerms } from "../organization/terms.table";
import { findNamed, type NamedRepo } from "./namespaces.table";

/** What a caller must hold at a repo for each action of the registry. */
export const REGISTRY_NEEDS: Readonly<Record<RegistryAction, readonly string[]>> = {
  pull: ["CAP_REPO_BLOBS_GET"],
  push: ["CAP_MANIFEST_CREATE", "CAP_TAG_CREATE"],
  delete: ["CAP_TAG_DELETE", "CAP_MANIFEST_DELETE"],
};

/** A repository that a caller gets into a token. */
export interface GrantedRepository extends RegistryAccess {
  readonly actions: readonly RegistryAction[];
  /** Uid of the repo; undefined for one that its first push makes, in `organization`. */
  readonly repo: string | undefined;
  readonly organization: string;
  readonly repoName: string;
}

/** True if the first push to a name makes its repo: in the organization itself, which is where it is looked for. */
const mayCreate = (caller: Caller, organization: string): boolean =>
  holdsAll(caller, [...repos.create.access.needs, ...REGISTRY_NEEDS.push], organization);

async function granted(
  queries: Queries,
  caller: Caller,
  asked: RepositoryScope & NamedRepo,
): Promise<GrantedRepository | undefined> {
  const { name, repo: repoName, organization, repos: found } = asked;
  if (organization === undefined || found.length > 1) return undefined;
  const [repo] = found;
  if (repo === undefined && !(asked.actions.includes("push") && mayCreate(caller, organization)))
    return undefined;
  const at = repo ?? organization;
  const held = asked.actions.filter((action) => holdsAll(caller, REGISTRY_NEEDS[action], at));
  const parent = repo?.slice(0, repo.lastIndexOf("/")) ?? organization;
  const isHeldUp = held.includes("push") && (await outstandingTerms(queries, parent)).length > 0;
  const actions = isHeldUp ? held.filter((action) => action !== "push") : held;
  if (actions.length === 0 || (repo === undefined && !actions.includes("push"))) return undefined;
  for (const action of actions) noteUse(caller, REGISTRY_NEEDS[action], at);
  return { type: "repository", name, actions, repo, organization, repoName };
}

/**
 * What of the scopes a caller gets: decided as every request of the API is. What is not allowed is left out, and so is what
 * does not exist or is ambiguous: all of these look the same.
 */
export async function decideScopes(
  queries: Queries,
  caller: Caller,
  scopes: readonly RepositoryScope[],
): Promise<GrantedRepository[]> {
  const decided: GrantedRepository[] = [];
  for (const asked of await findNamed(queries, scopes)) {
    const one = await granted(queries, caller, asked);
    if (one) decided.push(one);
  }
  return decided;
}
