import { parentOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";
import type { InputOf } from "platform-contract/resource";

import { now } from "../../platform/store/clock";
import { registryNameOf } from "./namespaces.table";
import { deleteInRegistry } from "./registry-deletion";
import { recordTag } from "./tag-history.table";
import { countTag, familyOf, tagsTable } from "./tags.table";
import { lockShared, later, readItem } from "../../platform/store/table";
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
  columns: ({ name, digest, deprecated = false, bundles = [] }) => ({
    name,
    digest,
    deprecated,
    bundles,
    family: familyOf(name),
  }),
  async beforeDelete(_context, { queries, uid, previous }) {
    const name = String(previous["name"]);
    await countTag(queries, parentOf(uid), name, -1);
    await recordTag(queries, parentOf(uid), name, null, now());
  },
};

/** Creates a tag, or moves it to another image. One statement, so that two in parallel make one tag. */
const create =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { path, body } = call;
      const { parent } = path;
      if (!(await lockShared(queries, "repos", parent))) throw notFoundError(context, repos, parent);
      const {
        name,
        digest,
        deprecated = false,
        bundles = [],
      } = validate(tags.request, toWire(tags, body), []);
      await requireTerms(queries, parentOf(parent));
      const fresh = newChildUid(parent);
      const [row] = await queries.query<{ uid: string; updated_at: Date }>(
        `insert into tags (uid, parent, name, digest, deprecated, bundles, family, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         on conflict on constraint tags_once do update set digest = excluded.digest, deprecated = excluded.deprecated,
           bundles = excluded.bundles,
           updated_at = case when (tags.digest, tags.deprecated, tags.bundles)
               is distinct from (excluded.digest, excluded.deprecated, excluded.bundles)
             then ${later("tags.updated_at", "excluded.updated_at")} else tags.updated_at end
         returning uid, updated_at`,
        [fresh, parent, name, digest, deprecated, bundles, familyOf(name), now()],
      );
      // A different uid means that the tag existed.
      if (row?.uid === fresh) await countTag(queries, parent, name, 1);
      await recordTag(queries, parent, name, digest, row?.updated_at ?? now());
      return toWire(tags, (await readItem(queries, tagsTable, row?.uid ?? "")) ?? {});
    });

/** Deletes a tag in the registry first: if that fails, nothing has changed. */
const removeInRegistry =
  ({ database, registry }: Context, remove: Handler): Handler =>
  async (call) => {
    const tag = registry && (await readItem(database, tagsTable, call.path.uid));
    const repository = tag && (await registryNameOf(database, parentOf(call.path.uid)));
    if (registry && repository !== undefined)
      await deleteInRegistry(registry, repository, String(tag?.["name"]));
    return remove(call);
  };

export function tagHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules).set("tags.create", create(context));
  const remove = handlers.get("tags.delete") as Handler;
  return handlers.set("tags.delete", removeInRegistry(context, remove));
}
