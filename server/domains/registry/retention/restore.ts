import { parentOf } from "platform-contract/aip";
import { restoreRetentionRun, UNDO_DAYS, type RestoreOutcome } from "platform-contract/registry/retention";

import type { RegistryClient } from "../../../platform/registry/client";
import type { Call, Handler } from "../../../platform/standard/call";
import { write } from "../../../platform/standard/conflicts";
import { notFoundError } from "../../../platform/standard/resource-info";
import type { Context } from "../../../platform/standard/rules";
import { withoutUnset } from "../../../platform/standard/values";
import { validate } from "../../../platform/standard/violations";
import { now } from "../../../platform/store/clock";
import type { Origin, Queries } from "../../../platform/store/database";
import { newChildUid } from "../../../platform/store/uids";
import { reasonOf } from "../../../reason";
import { requireTerms } from "../../organization/terms-check";
import { registryNameOf } from "../namespaces.table";
import { recordTag } from "../tag-history.table";
import { countTag, putTag } from "../tags.table";
import { readDeletions, readRun, storeRestored, takenNames, type DeletionRow } from "./runs.table";

const UNDO_MS = UNDO_DAYS * 86_400_000;

/** What the registry says: by uid of the deletion, why it cannot be restored there. */
type Refusals = ReadonlyMap<string, string>;

/** Why deletions cannot be restored, as the service's own tags tell: by uid. */
async function refusalsOf(queries: Queries, rows: readonly DeletionRow[]): Promise<Refusals> {
  const { repos, taken } = await takenNames(queries, rows);
  const late = now().getTime() - UNDO_MS;
  return new Map(
    rows.flatMap((row) => {
      const refusal =
        row.state === "RETENTION_DELETION_STATE_RESTORED"
          ? "It was restored already."
          : row.state === "RETENTION_DELETION_STATE_FAILED"
            ? "It was not deleted."
            : row.created_at.getTime() < late
              ? `It was deleted more than ${UNDO_DAYS} days ago.`
              : !repos.has(row.repo_uid)
                ? "Its repo is gone."
                : taken.has(`${row.repo_uid} ${row.name}`)
                  ? "The repo has a tag of this name again."
                  : undefined;
      return refusal === undefined ? [] : [[row.uid, refusal] as const];
    }),
  );
}

/** Looks for an image in the registry, and gives it its name again if `puts`. @returns why it cannot */
async function restoreThere(
  registry: RegistryClient,
  repository: string,
  { name, digest }: DeletionRow,
  puts: boolean,
): Promise<string | undefined> {
  try {
    const manifest = await registry.manifest(repository, digest);
    if (!manifest) return "The registry no longer has the image.";
    const there = await registry.digestOf(repository, name);
    if (there !== undefined && there !== digest) return "The registry has another image under this name.";
    if (puts && there === undefined)
      await registry.putManifest(repository, name, manifest.mediaType, manifest.bytes);
    return undefined;
  } catch (error) {
    return `The registry could not be asked: ${reasonOf(error)}`;
  }
}

const readBody = ({ body, unread }: Call) => validate(restoreRetentionRun.body!, withoutUnset(body), unread);

/** With a registry: looks there first, without a turn at the database. */
const before =
  (context: Context): NonNullable<Handler["before"]> =>
  async (call, inTurn) => {
    const { registry, database } = context;
    if (!registry) return new Map();
    const { deletionUids, validateOnly = false } = readBody(call);
    const { rows, names, refused } = await inTurn(async () => {
      const found = await readDeletions(database, call.path.uid, deletionUids, false);
      const places = [...new Set(found.map(({ repo_uid }) => repo_uid))];
      return {
        rows: found,
        refused: await refusalsOf(database, found),
        names: new Map(
          await Promise.all(
            places.map(async (repo) => [repo, await registryNameOf(database, repo)] as const),
          ),
        ),
      };
    });
    const refusals = new Map<string, string>();
    for (const row of rows) {
      const repository = names.get(row.repo_uid);
      if (repository === undefined || refused.has(row.uid)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the registry is asked for one at a time
      const refusal = await restoreThere(registry, repository, row, !validateOnly);
      if (refusal !== undefined) refusals.set(row.uid, refusal);
    }
    return refusals;
  };

async function restoreOne(queries: Queries, row: DeletionRow, by: string | null): Promise<void> {
  const { repo_uid: repo, name, digest, deprecated, bundles } = row;
  const stored = await putTag(queries, newChildUid(repo), repo, {
    name,
    digest,
    deprecated,
    bundles: [...bundles],
  });
  await countTag(queries, repo, name, 1);
  await recordTag(queries, repo, name, digest, stored?.updated_at ?? now());
  await storeRestored(queries, row.uid, by);
}

const restore =
  (context: Context): Handler =>
  (call) => {
    const { caller, path } = call;
    let act: Origin["act"];
    return write(
      context.database,
      call,
      async (queries) => {
        const { deletionUids, validateOnly = false } = readBody(call);
        const run = await readRun(queries, path.uid);
        if (!run) throw notFoundError(context, { area: "registry", type: "RetentionRun" }, path.uid);
        const rows = await readDeletions(queries, path.uid, deletionUids, !validateOnly);
        const found = new Map(rows.map((row) => [row.uid, row]));
        const refusals = new Map([
          ...((call.found as Refusals | undefined) ?? []),
          ...(await refusalsOf(queries, rows)),
        ]);
        const able = rows.filter(({ uid }) => !refusals.has(uid));
        for (const group of new Set(able.map(({ repo_uid }) => parentOf(repo_uid))))
          // oxlint-disable-next-line no-await-in-loop -- few folders
          await requireTerms(queries, group);
        // oxlint-disable-next-line no-await-in-loop -- one row each, as for the creation of one tag
        if (!validateOnly)
          for (const row of able) await restoreOne(queries, row, caller.identities[0] ?? null);
        if (!validateOnly)
          act = {
            action: restoreRetentionRun.id,
            kind: run.place === run.parent ? "groups" : "repos",
            uid: run.place,
            group: run.parent,
            name: run.name,
            facts: [{ field: "restoredTags", after: JSON.stringify(able.length) }],
          };
        return {
          outcomes: [...new Set(deletionUids)].map((uid): RestoreOutcome => {
            const row = found.get(uid);
            const refusal = row ? refusals.get(uid) : "This run has no such deletion.";
            return {
              uid,
              ...(row && { name: row.name, repoName: row.repo_name }),
              ...(refusal === undefined ? { restored: true } : { refusal }),
            };
          }),
        };
      },
      () => act,
    );
  };

export const restoreHandler = (context: Context): readonly [string, Handler] => [
  restoreRetentionRun.id,
  context.registry ? Object.assign(restore(context), { before: before(context) }) : restore(context),
];
