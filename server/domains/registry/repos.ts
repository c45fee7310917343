import { isDeepStrictEqual } from "node:util";

import { rootOf } from "platform-contract/aip";
import {
  getReadme,
  INHERITED,
  readmeRequest,
  repos,
  updateReadme,
  type RepoInput,
} from "platform-contract/registry/repos";
import type { Schema } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import {
  endCopies,
  keepOverCopies,
  keepOwnCopy,
  lockReadme,
  readReadme,
  reposTable,
  sourceOf,
  stayOver,
  touchCopies,
  writeReadme,
} from "./repos.table";
import { countAlone, lockShared } from "../../platform/store/table";
import { isNameTaken, registryNameOf } from "./namespaces.table";
import { digestsOfTags } from "./registry-images.table";
import type { RegistryClient } from "../../platform/registry/client";
import type { Database } from "../../platform/store/database";
import { deleteTagsInRegistry } from "./registry-deletion";
import { findSource } from "./repo-source";
import type { Call, Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { readMask } from "../../platform/standard/masks";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Draft, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import { checkName } from "../access/guard-rail-checks.table";
import { requireTerms } from "../organization/terms-check";

const SOURCE_FIELD = "sync_config.source";

/** In a registry a repo has no folder: with one, its name is the only one of its organization, and stays while it has tags. */
async function nameViolations({ registry }: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, uid, fields, previous } = draft;
  const name = fields["name"];
  if (!registry || typeof name !== "string" || name === previous?.["name"]) return [];
  const organization = rootOf(uid);
  // Two in different folders at once would each miss the other.
  await countAlone(queries, organization);
  const violation = (description: string) => [{ field: "name", description }];
  if (await isNameTaken(queries, organization, name, uid))
    return violation(
      "must be another name: a repo of the organization has it, and the registry knows no folders",
    );
  const answers = previous && (await registryNameOf(queries, uid)) !== undefined;
  if (answers && (await digestsOfTags(queries, uid)).size > 0)
    return violation(
      "cannot be changed while the repo has tags: its images stay under the old name in the registry",
    );
  return [];
}

/** Rejects changes of inherited fields of a synced repo, and sources that are synced themselves. */
async function violations(context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { queries, caller, uid, fields, previous } = draft;
  const named = await nameViolations(context, draft);
  const source = sourceOf(fields);
  if (source === undefined) return named;
  const inherited: FieldViolation[] = INHERITED.filter(
    (field) => !isDeepStrictEqual(fields[field], previous?.[field]),
  ).map((field) => ({ field, description: "a synced repo inherits this from its source" }));
  const found = [...named, ...inherited];
  if (source === sourceOf(previous)) return found;
  const known = await findSource(queries, caller, source);
  // Deleting a source ends its syncs. With this lock, the source is either gone or its deletion waits for this copy.
  const stays = known !== undefined && (await lockShared(queries, reposTable.name, known.uid));
  const problem =
    !known || !stays
      ? "must be a repo that you can pull, given by uid, as organization/repo or as an image reference"
      : known.uid === uid
        ? "a repo cannot be its own source"
        : known.synced
          ? "must not be a synced repo"
          : undefined;
  return problem === undefined ? found : [...found, { field: SOURCE_FIELD, description: problem }];
}

const rules: Rules<RepoInput> = {
  resource: repos,
  table: reposTable,
  unique: {
    constraint: "repos_once",
    by: ["name"],
    field: "name",
    sentence: "a repo with this name already exists in this group",
  },
  violations,
  async beforeWrite(_context, { queries, uid, parent, previous, next: { name } }) {
    if (previous?.["name"] !== name)
      await checkName(queries, { collection: "repos", uid, group: parent, name });
    if (!previous) await requireTerms(queries, parent);
    if (sourceOf(previous) !== undefined) await keepOwnCopy(queries, uid);
    if (previous) await keepOverCopies(queries, uid);
  },
  async afterWrite(_context, { queries, uid, previous, next, fields }) {
    const source = next.sync_config?.source;
    if (source !== undefined) await stayOver(queries, uid, source);
    const changed = INHERITED.some((field) => !isDeepStrictEqual(fields[field], previous?.[field]));
    if (previous && changed) await touchCopies(queries, uid);
  },
  /** Its tags are deleted with it; repos that copied it keep what they have. */
  beforeDelete: (_context, { queries, uid }) => endCopies(queries, uid),
};

/** Replaces a source's name with its uid; leaves it as it is if not found, so that validation rejects it. */
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

const README_TYPE = { area: repos.area, type: "RepoReadme" };

/** A synced repo has the readme of its source. */
const getHandler =
  (context: Context): Handler =>
  async ({ path: { uid } }) => {
    const readme = await readReadme(context.database, uid);
    if (!readme) throw notFoundError(context, README_TYPE, uid);
    return withoutUnset(readme);
  };

const SYNCED_README = {
  field: "content",
  description: "a synced repo inherits its readme from its source",
};

const README = { settable: readmeRequest.shape, answer: getReadme.answer as Schema, oneofs: [] };

const updateHandler =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { path, query, body } = call;
      const { uid } = path;
      const own = await lockReadme(queries, uid);
      if (!own) throw notFoundError(context, README_TYPE, uid);
      const { paths, violations: unknown } = readMask(
        README,
        body,
        query["updateMask"] as string | undefined,
      );
      const synced = paths.length > 0 && own.synced ? [SYNCED_README] : [];
      const asked = paths.length > 0 ? body : { content: own.readme };
      const { content = "" } = validate(readmeRequest, asked, [...unknown, ...synced]);
      if (content !== own.readme) await writeReadme(queries, uid, content);
      return withoutUnset((await readReadme(queries, uid)) ?? {});
    });

/**
 * Deletes the tags of a repo in the registry first: otherwise the next comparison would bring it back. If that fails, the
 * repo stays, with the tags that are left.
 */
const deletingInRegistry =
  (database: Database, registry: RegistryClient): NonNullable<Handler["before"]> =>
  async ({ path: { uid } }, inTurn) => {
    const repository = await inTurn(() => registryNameOf(database, uid));
    if (repository !== undefined) await deleteTagsInRegistry(registry, repository);
  };

export function repoHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules);
  const wrap = (id: string, creates: boolean) =>
    handlers.set(id, withSource(context, handlers.get(id) as Handler, creates));
  wrap("repos.create", true);
  wrap("repos.update", false);
  const { database, registry } = context;
  const remove = handlers.get("repos.delete") as Handler;
  if (registry)
    handlers.set("repos.delete", Object.assign(remove, { before: deletingInRegistry(database, registry) }));
  return handlers.set(getReadme.id, getHandler(context)).set(updateReadme.id, updateHandler(context));
}
