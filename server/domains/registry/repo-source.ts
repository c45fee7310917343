import { isUid } from "platform-contract/aip";
import { syncSource } from "platform-contract/registry/repos";

import { holds, visibleGroups, type Caller } from "../../platform/access/caller";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinAny } from "../../platform/store/sql";
import { isFields, type Fields } from "../../platform/standard/values";

const READ = "CAP_REPO_LIST";

export interface Source {
  readonly uid: string;
  readonly description: string;
  /** True if it is a copy of another repo itself. */
  readonly synced: boolean;
}

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
  const columns = "t.uid, t.description, t.source_uid is not null as synced";
  if (isUid(source)) {
    if (!holds(caller, READ, source)) return undefined;
    return (await queries.query<Source>(`select ${columns} from repos t where t.uid = $1`, [source]))[0];
  }
  const names = namesOf(source);
  if (!names) return undefined;
  const { values, bind } = new Parameters();
  const found = await queries.query<Source>(
    `select ${columns} from repos t join groups root on root.uid = left(t.uid, 40)
     where t.name = ${bind(names.repo)} and root.name = ${bind(names.organization)}
       and ${withinAny("t.uid", visibleGroups(caller, READ), bind)} limit 2`,
    values,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the source in a body that is not validated yet. */
export function sourceOf(fields: Fields | undefined): string | undefined {
  const config = fields?.["sync_config"];
  const source = isFields(config) ? config["source"] : undefined;
  return typeof source === "string" && source !== "" ? source : undefined;
}
