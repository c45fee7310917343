import type { Config } from "../../config";
import { ConfigError } from "../../config";
import { giveNamespaces } from "../../domains/registry/namespaces.table";
import { appendEntries, unlogged, type PlacedDraft } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { each, inBatches } from "./batches";
import type { SeedProgress } from "./progress";
import { insertAdvisories } from "./scale-advisories";
import type { ScaleOptions } from "./scale-options";
import { placesFor, seedScalePeople, type ScaleAccount } from "./scale-people";
import { bindingUid, planGroups, planIdentity, ROLES, SCALE, scaleUid, type ScaleSize } from "./scale-plan";
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
  `Made by npm run seed -- --groups ${groups} --depth ${depth} --identities ${identities} --bindings ${bindings}`;
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
  const [found] = await database.query<{ description: string }>(
    "select description from groups where uid = $1",
    [scaleUid],
  );
  if (found && ![wanted, describeBase(options)].includes(found.description))
    throw new ConfigError(
      `the organization ${SCALE} is there already, with other options (${found.description}): use those, or another database`,
    );
  const { uids, group } = planGroups(options);
  const places = placesFor(uids, options.visible);
  if (found) progress.say(`The organization ${SCALE} is there already.`);
  if (found?.description !== wanted) {
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
      await queries.query("update groups set description = $2 where uid = $1", [scaleUid, wanted]);
      await appendEntries(queries, [entryOf(options, found === undefined)]);
    });
    // The embedded database does neither by itself: plans need statistics, counts need the visibility map.
    for (const table of WRITTEN) await database.query(`vacuum analyze ${table}`);
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

type Group = ReturnType<ReturnType<typeof planGroups>["group"]>;

const insertGroups = (
  queries: Queries,
  count: number,
  group: (index: number) => Group,
  progress: SeedProgress,
): Promise<void> =>
  inBatches("groups", count, each(count, group), progress, (rows) =>
    queries.query(
      `insert into groups (uid, parent, name, description, created_at, updated_at, kind)
       select *, 'ORG_KIND_CUSTOMER' from unnest($1::text[], $2::text[], $3::text[], $4::text[],
         $5::timestamptz[], $6::timestamptz[])`,
      [
        rows.map(({ uid }) => uid),
        rows.map(({ parent }) => parent),
        rows.map(({ name }) => name),
        rows.map(({ description }) => description),
        rows.map(({ created }) => created),
        rows.map(({ updated }) => updated),
      ],
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
    queries.query(
      `insert into identities (uid, parent, name, description, created_at, updated_at, last_seen_at, issuer, subject,
         relationship, definition)
       select k.*, 'claimMatch', jsonb_build_object('issuer', k.issuer, 'subject', k.subject)
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
         $7::timestamptz[], $8::text[], $9::text[])
         as k (uid, parent, name, description, created_at, updated_at, last_seen_at, issuer, subject)`,
      [
        rows.map(({ uid }) => uid),
        rows.map(({ parent }) => parent),
        rows.map(({ name }) => name),
        rows.map(({ description }) => description),
        rows.map(({ created }) => created),
        rows.map(({ updated }) => updated),
        rows.map(({ seen }) => seen),
        rows.map(({ issuer }) => issuer),
        rows.map(({ subject }) => subject),
      ],
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
    return { uid: bindingUid(parent, identity, role), parent, identity, role, created };
  });
  return inBatches("role bindings", size.bindings, planned, progress, (rows) =>
    queries.query(
      `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
       select k.*, k.created_at from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
         as k (uid, parent, identity_uid, role_uid, created_at)`,
      [
        rows.map(({ uid }) => uid),
        rows.map(({ parent }) => parent),
        rows.map(({ identity }) => identity),
        rows.map(({ role }) => role),
        rows.map(({ created }) => created),
      ],
    ),
  );
};
