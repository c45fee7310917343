import type { Config } from "../config";
import { ConfigError } from "../config";
import type { Database, Queries } from "../store/database";
import { builtInRoleUid } from "../store/roles";
import type { Progress } from "./progress";
import type { ScaleOptions } from "./scale-options";
import { placesFor, seedScalePeople, type ScaleAccount } from "./scale-people";
import { bindingUid, planGroups, planIdentity, SCALE, scaleUid, type ScaleSize } from "./scale-plan";

/** Rows of one statement. */
const BATCH = 2_000;

/** Kept with the organization, so that a second run knows whether it would write the same. */
const describe = ({ groups, depth, identities, bindings }: ScaleSize): string =>
  `Made by npm run seed -- --groups ${groups} --depth ${depth} --identities ${identities} --bindings ${bindings}`;

/**
 * Writes the scale organization, in one transaction, and the people who look at it. With the options of an earlier run
 * only people who are missing are added: another PUBLIC_URL makes other people of the same accounts (their issuer).
 * Throws a ConfigError when the organization is there with other options.
 * @returns the accounts
 */
export async function seedScale(
  config: Config,
  database: Database,
  options: ScaleOptions,
  progress: Progress,
): Promise<readonly ScaleAccount[]> {
  const wanted = describe(options);
  const [found] = await database.query<{ description: string }>(
    "select description from groups where uid = $1",
    [scaleUid],
  );
  if (found && found.description !== wanted)
    throw new ConfigError(
      `the organization ${SCALE} is there already, with other options (${found.description}): use those, or another database`,
    );
  const { uids, group } = planGroups(options);
  const places = placesFor(uids, options.visible);
  if (found) progress.say(`The organization ${SCALE} is there already.`);
  else {
    await database.transaction(async (queries) => {
      await insertGroups(queries, uids.length, (index) => describedRoot(group(index), wanted), progress);
      await insertIdentities(queries, options, uids, progress);
      await insertBindings(queries, options, uids, progress);
    });
    // The embedded database does neither by itself: plans need the figures, counts the map of visible pages.
    for (const table of ["groups", "identities", "role_bindings"])
      await database.query(`vacuum analyze ${table}`);
  }
  return seedScalePeople(config, database, places);
}

type Group = ReturnType<ReturnType<typeof planGroups>["group"]>;

const describedRoot = (group: Group, description: string): Group =>
  group.parent === null ? { ...group, description } : group;

async function inBatches(
  what: string,
  count: number,
  progress: Progress,
  insert: (indexes: number[]) => Promise<unknown>,
): Promise<void> {
  progress.step(what, 0, count);
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    await insert(Array.from({ length }, (_, index) => from + index));
    progress.step(what, from + length, count);
  }
}

const insertGroups = (
  queries: Queries,
  count: number,
  group: (index: number) => Group,
  progress: Progress,
): Promise<void> =>
  inBatches("groups", count, progress, (indexes) => {
    const rows = indexes.map(group);
    return queries.query(
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
    );
  });

const insertIdentities = (
  queries: Queries,
  size: ScaleSize,
  uids: readonly string[],
  progress: Progress,
): Promise<void> =>
  inBatches("identities", size.identities, progress, (indexes) => {
    const rows = indexes.map((index) => planIdentity(size, uids, index));
    return queries.query(
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
    );
  });

const ROLES = ["viewer", "editor", "registry.pull"];

const insertBindings = (
  queries: Queries,
  size: ScaleSize,
  uids: readonly string[],
  progress: Progress,
): Promise<void> =>
  inBatches("role bindings", size.bindings, progress, (indexes) => {
    const rows = indexes.map((index) => {
      const { uid: identity, parent, created } = planIdentity(size, uids, index);
      const role = builtInRoleUid(ROLES[index % ROLES.length] ?? "viewer");
      return { uid: bindingUid(parent, identity, role), parent, identity, role, created };
    });
    return queries.query(
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
    );
  });
