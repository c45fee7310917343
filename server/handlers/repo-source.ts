import { isUid } from "~/contract/aip";
import { syncSource } from "~/contract/registry/repos";

import { holds, visibleGroups, type Caller } from "../access/caller";
import type { Queries } from "../store/database";
import { Parameters, withinAny } from "../store/sql";
import { isFields, type Fields } from "./values";

const READ = "CAP_REPO_LIST";

export interface Source {
  readonly uid: string;
  readonly description: string;
  /** It copies another repo itself. */
  readonly synced: boolean;
}

const before = (mark: string, text: string): string => text.split(mark, 1)[0] ?? "";

/**
 * `registry.example/organization/repo:tag` or `organization/repo` as its two names; undefined for anything else. The
 * first part is a host when it has a dot or a port, as in every image reference.
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
 * The repo that a source names, by uid, by `organization/repo` or by image reference; undefined when the caller may read
 * none or several of that name: whether one exists is not told.
 */
export async function findSource(
  queries: Queries,
  caller: Caller,
  source: string,
): Promise<Source | undefined> {
  // Nobody has judged it yet.
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

/** What a body says of its source, whatever form it has. */
export function sourceOf(fields: Fields | undefined): string | undefined {
  const config = fields?.["sync_config"];
  const source = isFields(config) ? config["source"] : undefined;
  return typeof source === "string" && source !== "" ? source : undefined;
}
