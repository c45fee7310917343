import { isDeepStrictEqual } from "node:util";

import {
  getReadme,
  INHERITED,
  readmeRequest,
  repos,
  updateReadme,
  type RepoInput,
} from "~/contract/registry/repos";
import type { Schema } from "~/contract/endpoint";
import type { FieldViolation } from "~/contract/status";

import { invalidArgument } from "../status";
import { now } from "../store/clock";
import {
  endCopies,
  keepOverCopies,
  keepOwnCopy,
  reposTable,
  SOURCE,
  stayOver,
  type Sync,
} from "../store/repos";
import { holdRow, updateRow } from "../store/table";
import type { Call, Handler } from "./call";
import { write } from "./conflicts";
import { maskPaths } from "./masks";
import { findSource, sourceOf } from "./repo-source";
import { missing, standardHandlers, type Context, type Draft, type Rules } from "./standard";
import type { Fields } from "./values";
import { judge } from "./violations";

const SOURCE_FIELD = "sync_config.source";
/** How long a new source is copied (contract 1.10). */
const SYNC_DAYS = 14;

/** A synced repo refuses what it has from its source (contract B32), and its source must be one that stands by itself. */
async function violations(_context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, caller, uid, fields, previous } = draft;
  const source = sourceOf(fields);
  if (source === undefined) return [];
  const found: FieldViolation[] = INHERITED.filter(
    (field) => !isDeepStrictEqual(fields[field], previous?.[field]),
  ).map((field) => ({ field, description: "a synced repo has this from its source" }));
  if (source === sourceOf(previous)) return found;
  const known = await findSource(queries, caller, source);
  // Whoever deletes a source ends the syncs from it: it is gone already then, or waits until this one is among them.
  const stays = known !== undefined && (await holdRow(queries, reposTable.name, known.uid));
  const problem =
    !known || !stays
      ? "source must be a repo that you may pull, by uid, as organization/repo or as an image reference"
      : known.uid === uid
        ? "a repo cannot be its own source"
        : known.synced
          ? "source must not be synced from another repo itself"
          : undefined;
  return problem === undefined ? found : [...found, { field: SOURCE_FIELD, description: problem }];
}

function syncOf({ sync_config }: RepoInput, previous: Fields | undefined): Sync | undefined {
  if (!sync_config) return undefined;
  const { google, amazon, azure } = sync_config;
  const before = Object(previous?.["sync_config"]) as { source?: string; expirationTime?: string };
  const time = now().getTime();
  const kept = before.source === sync_config.source ? before.expirationTime : undefined;
  const expirationTime = kept ?? new Date(time + SYNC_DAYS * 24 * 3_600_000).toISOString();
  const over = Date.parse(expirationTime) <= time ? true : undefined;
  return { google, amazon, azure, expirationTime, over };
}

const rules: Rules<RepoInput> = {
  resource: repos,
  table: reposTable,
  violations,
  columns: (next, { caller, previous }) => {
    const { name, description = "", catalogTier = "", customOverlay } = next;
    const sync = syncOf(next, previous);
    return {
      name,
      description,
      // The zero value of an enum is one that is not set (contract 0.2).
      catalog_tier: catalogTier === "CATALOG_TIER_UNSPECIFIED" ? "" : catalogTier,
      bundles: next.bundles ?? [],
      aliases: next.aliases ?? [],
      active_tags: next.activeTags ?? [],
      source_uid: next.sync_config?.source ?? null,
      // Whoever names a source makes the copy, whoever changes the rest of it does not.
      ...(next.sync_config?.source !== sourceOf(previous) && {
        sync_makers: next.sync_config ? [...caller.identities] : null,
      }),
      sync: sync ? JSON.stringify(sync) : null,
      overlay: customOverlay ? JSON.stringify(customOverlay) : null,
    };
  },
  async beforeWrite(_context, { queries, uid, previous }) {
    if (sourceOf(previous) !== undefined) await keepOwnCopy(queries, uid);
    if (previous) await keepOverCopies(queries, uid);
  },
  async afterWrite(_context, { queries, uid, next }) {
    const source = next.sync_config?.source;
    if (source !== undefined) await stayOver(queries, uid, source);
  },
  /** Its tags go with it; those that copied it keep what they had from it. */
  beforeDelete: (_context, { queries, uid }) => endCopies(queries, uid),
};

/** Puts the uid of a source in the place of the name that a caller gave it; one that cannot be found stays, to be refused. */
const withSource =
  ({ database }: Context, handler: Handler, creates: boolean): Handler =>
  async (call: Call) => {
    const { caller, body } = call;
    const given = sourceOf(body);
    const source = given === undefined ? undefined : await findSource(database, caller, given);
    if (!source) return handler(call);
    const sync_config = { ...(body["sync_config"] as object), source: source.uid };
    const described = creates && body["description"] === undefined && { description: source.description };
    return handler({ ...call, body: { ...body, ...described, sync_config } });
  };

/** A readme of a synced repo is that of its source. */
const readReadme =
  (context: Context): Handler =>
  async ({ path: { uid } }) => {
    const [row] = await context.database.query<{ content: string }>(
      `select coalesce(s.readme, t.readme) as content from repos t ${SOURCE} where t.uid = $1`,
      [uid],
    );
    if (!row) throw missing(context, repos, uid);
    return row.content === "" ? { uid } : { uid, content: row.content };
  };

const README = { settable: readmeRequest.shape, answer: getReadme.answer as Schema, oneofs: [] };

const writeReadme =
  (context: Context): Handler =>
  ({ path: { uid }, query, body }) =>
    write(context.database, async (queries) => {
      const [row] = await queries.query<{ source_uid: string | null; readme: string }>(
        "select source_uid, readme from repos where uid = $1 for update",
        [uid],
      );
      if (!row) throw missing(context, repos, uid);
      const paths = maskPaths(README, body, query["updateMask"] as string | undefined);
      if (paths.length > 0 && row.source_uid !== null)
        throw invalidArgument([
          { field: "content", description: "the readme of a synced repo is that of its source" },
        ]);
      const { content = "" } = paths.length > 0 ? judge(readmeRequest, body, []) : { content: row.readme };
      if (content !== row.readme) {
        await keepOverCopies(queries, uid);
        await updateRow(queries, "repos", uid, { readme: content });
      }
      return content === "" ? { uid } : { uid, content };
    });

export function repoHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules);
  const wrap = (id: string, creates: boolean) =>
    handlers.set(id, withSource(context, handlers.get(id) as Handler, creates));
  wrap("repos.create", true);
  wrap("repos.update", false);
  return handlers.set(getReadme.id, readReadme(context)).set(updateReadme.id, writeReadme(context));
}
