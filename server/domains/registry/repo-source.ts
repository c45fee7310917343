import { isUid, rootOf } from "platform-contract/aip";
import { syncSource } from "platform-contract/registry/repos";

import { holds, visibleGroups, type Caller } from "../../platform/access/caller";
import type { Queries } from "../../platform/store/database";
import { findRepo, type Source } from "./repos.table";

const READ = "CAP_REPO_LIST";

const before = (mark: string, text: string): string => text.split(mark, 1)[0] ?? "";

/**
 * Parses `registry.example/organization/repo:tag` or `organization/repo` into its two names; undefined for anything
 * else. The first part is a host if it has a dot or a port, as in all image references.
 */
export function namesOf(reference: string): { organization: string; repo: string } | undefined {
  const parts = before("@", reference).split("/");
  const [first = ""] = parts;
  if (parts.length > 2 && (/[.:]/.test(first) || first === "localhost")) parts.shift();
  const [organization = "", repo = "", ...more] = parts;
  const name = before(":", repo);
  return organization === "" || name === "" || more.length > 0 ? undefined : { organization, repo: name };
}

/**
 * Finds the repo of a source: a uid, `organization/repo` or an image reference. Undefined if the caller can read none
 * or several of that name, so that it does not reveal whether one exists.
 */
export async function findSource(
  queries: Queries,
  caller: Caller,
  source: string,
): Promise<Source | undefined> {
  // Not validated yet.
  if (!syncSource.safeParse(source).success) return undefined;
  if (isUid(source))
    return holds(caller, READ, source) ? findRepo(queries, { uid: source }, [rootOf(source)]) : undefined;
  const names = namesOf(source);
  return (
    names &&
    findRepo(queries, { name: names.repo, organization: names.organization }, visibleGroups(caller, READ))
  );
}
