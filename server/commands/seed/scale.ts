import type { Config } from "../../config";
import { ConfigError } from "../../config";
import { giveNamespaces } from "../../domains/registry/namespaces.table";
import { appendEntries, unlogged, type PlacedDraft } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import { insertRows, readItem, updateRow } from "../../platform/store/table";
import { groupsTable } from "../../domains/organization/groups.table";
import { analyze } from "./seed.table";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { each, inBatches } from "./batches";
import type { SeedProgress } from "./progress";
import { insertAdvisories } from "./scale-advisories";
import type { ScaleOptions } from "./scale-options";
import { placesFor, seedScalePeople, type ScaleAccount } from "./scale-people";
import {
  bindingUid,
  planGroups,
  planIdentity,
  ROLES,
  SCALE,
  scaleUid,
  type PlannedGroup,
  type ScaleSize,
} from "./scale-plan";
import { insertRegistry } from "./scale-registry";

const WRITTEN = [
  "groups",
  "identities",
  "role_bindings",
  "repos",
  "tags",
  "tag_counts",
  "tag_history",
  "manifests",
  "advisories",
  "advisory_events",
  "vulnerability_metadata",
];

/** Stored with the organization, so that a second run knows if it would write the same. */
const describeBase = ({ groups, depth, identities, bindings }: ScaleSize): string =>
  `Made by platform-console seed --groups ${groups} --depth ${depth} --identities ${identities} --bindings ${bindings}`;
const describe = (size: ScaleOptions): string =>
  [
    describeBase(size),
    ...(size.repos === 0 ? [] : [`--repos ${size.repos} --tags ${size.tags}`]),
    ...(size.advisories === 0 ? [] : [`--advisories ${size.advisories}`]),
  ].join(" ");

/**
 * Writes the scale organization, in one transaction, and its people. With the options of an earlier run, it only adds
 * what is missing: repos and tags if there were none, and people. Under another PUBLIC_URL (their issuer), the same
 * accounts are other people. Throws a ConfigError if the organization exists with other options.
 * @returns the accounts
 */
export async function seedScale(
  config: Config,
  database: Database,
  options: ScaleOptions,
  progress: SeedProgress,
): Promise<readonly ScaleAccount[]> {
  const wanted = describe(options);
  const found = await readItem(database, groupsTable, scaleUid);
  const before = String(found?.["description"]);
  if (found && ![wanted, describeBase(options)].includes(before))
    throw new ConfigError(
      `the organization ${SCALE} is there already, with other options (${before}): use those, or another database`,
    );
  const { uids, group } = planGroups(options);
  const places = placesFor(uids, options.visible);
  if (found) progress.say(`The organization ${SCALE} is there already.`);
  if (!found || before !== wanted) {
    await database.transaction(async (queries) => {
      await unlogged(queries);
      if (!found) {
        await insertGroups(queries, uids.length, group, progress);
        await insertIdentities(queries, options, uids, progress);
        await giveNamespaces(queries);
        await insertBindings(queries, options, uids, progress);
      }
      await insertRegistry(queries, options, uids, progress);
      await insertAdvisories(queries, options, scaleUid, progress);
      await updateRow(queries, groupsTable.name, scaleUid, { description: wanted });
      await appendEntries(queries, [entryOf(options, found === undefined)]);
    });
    await analyze(database, WRITTEN, { vacuum: true });
  }
  return seedScalePeople(config, database, places);
}

/** The entry of the whole organization: its records are too many to name. */
function entryOf(size: ScaleOptions, isNew: boolean): PlacedDraft {
  const base = size.groups - 1 + size.identities + size.bindings;
  return {
    group: scaleUid,
    draft: {
      outcome: "OUTCOME_DONE",
      action: "import",
      record: { kind: "groups", uid: scaleUid, name: SCALE, group: scaleUid },
      ...(isNew && { change: "created" as const }),
      relatedCount: (isNew ? base : 0) + size.repos + size.tags + size.advisories,
      request: { transport: "command" },
    },
  };
}

const insertGroups = (
  queries: Queries,
  count: number,
  group: (index: number) => PlannedGroup,
  progress: SeedProgress,
): Promise<void> =>
  inBatches("groups", count, each(count, group), progress, (rows) =>
    insertRows(
      queries,
      "groups",
      rows.map(({ created, updated, ...row }) => ({
        ...row,
        kind: "ORG_KIND_CUSTOMER",
        created_at: created,
        updated_at: updated,
      })),
    ),
  );

const insertIdentities = (
  queries: Queries,
  size: ScaleSize,
  uids: readonly string[],
  progress: SeedProgress,
): Promise<void> => {
  const planned = each(size.identities, (index) => planIdentity(size, uids, index));
  return inBatches("identities", size.identities, planned, progress, (rows) =>
    insertRows(
      queries,
      "identities",
      rows.map(({ created, updated, seen, ...row }) => ({
        ...row,
        relationship: "claimMatch",
        definition: { issuer: row.issuer, subject: row.subject },
        last_seen_at: seen,
        created_at: created,
        updated_at: updated,
      })),
    ),
  );
};

const insertBindings = (
  queries: Queries,
  size: ScaleSize,
  uids: readonly string[],
  progress: SeedProgress,
): Promise<void> => {
  const planned = each(size.bindings, (index) => {
    // Once every identity has a role, each gets a second one, and so on.
    const [of, turn] = [index % size.identities, Math.floor(index / size.identities)];
    const { uid: identity, parent, created } = planIdentity(size, uids, of);
    const role = builtInRoleUid(ROLES[(of + turn) % ROLES.length] ?? "viewer");
    return {
      uid: bindingUid(parent, identity, role),
      parent,
      identity_uid: identity,
      role_uid: role,
      created_at: created,
      updated_at: created,
    };
  });
  return inBatches("role bindings", size.bindings, planned, progress, (rows) =>
    insertRows(queries, "role_bindings", rows),
  );
};
