import { parentOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";
import type { InputOf } from "platform-contract/resource";

import { now } from "../../platform/store/clock";
import { registryNameOf } from "./namespaces.table";
import { deleteInRegistry } from "./registry-deletion";
import { recordTag } from "./tag-history.table";
import { countTag, putTag, tagsTable } from "./tags.table";
import type { RegistryClient } from "../../platform/registry/client";
import type { Database } from "../../platform/store/database";
import { lockShared, readItem } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Rules } from "../../platform/standard/rules";
import { toWire, standardHandlers } from "../../platform/standard/standard";
import { validate } from "../../platform/standard/violations";
import { requireTerms } from "../organization/terms-check";

type Input = InputOf<typeof tags>;

const rules: Rules<Input> = {
  resource: tags,
  table: tagsTable,
  async beforeDelete(_context, { queries, uid, previous }) {
    const name = String(previous["name"]);
    await countTag(queries, parentOf(uid), name, -1);
    await recordTag(queries, parentOf(uid), name, null, now());
  },
};

/** Creates a tag, or moves it to another image. */
const create =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { path, body } = call;
      const { parent } = path;
      if (!(await lockShared(queries, "repos", parent))) throw notFoundError(context, repos, parent);
      const input = validate(tags.request, toWire(tags, body), []);
      await requireTerms(queries, parentOf(parent));
      const fresh = newChildUid(parent);
      const row = await putTag(queries, fresh, parent, input);
      // A different uid means that the tag existed.
      if (row?.uid === fresh) await countTag(queries, parent, input.name, 1);
      await recordTag(queries, parent, input.name, input.digest, row?.updated_at ?? now());
      return toWire(tags, (await readItem(queries, tagsTable, row?.uid ?? "")) ?? {});
    });

/** Deletes a tag in the registry first: if that fails, nothing has changed. */
const deletingInRegistry =
  (database: Database, registry: RegistryClient): NonNullable<Handler["before"]> =>
  async ({ path: { uid } }, inTurn) => {
    const [tag, repository] = await inTurn(() =>
      Promise.all([readItem(database, tagsTable, uid), registryNameOf(database, parentOf(uid))]),
    );
    if (tag && repository !== undefined) await deleteInRegistry(registry, repository, String(tag["name"]));
  };

export function tagHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules).set("tags.create", create(context));
  const { database, registry } = context;
  const remove = handlers.get("tags.delete") as Handler;
  return registry
    ? handlers.set("tags.delete", Object.assign(remove, { before: deletingInRegistry(database, registry) }))
    : handlers;
}
