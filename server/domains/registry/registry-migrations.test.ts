import { afterEach, expect, test } from "vitest";

import type { Database } from "../../platform/store/database";
import { migrate } from "../../platform/store/migrate";
import { migrations } from "../../platform/store/migrations/index";
import { openEmpty } from "../../testing/database";
import { findNamed } from "./namespaces.table";
import { addPulls, countUsage } from "./registry-usage.table";
import { readDifferences } from "./registry-sync.table";

const hex = (number: number, length: number): string => number.toString(16).padStart(length, "0");
const organization = (number: number): string => hex(number, 40);
const repo = (number: number): string => `${organization(number)}/${hex(1, 16)}`;
const digest = `sha256:${"a".repeat(64)}`;
/** Some differ by case or a dash, some are reserved, one has no letter that a registry takes. */
const NAMES = ["Acme, Inc.", "acme inc", "ACME-INC", "registry", "日本", "a".repeat(200)];

const opened: Database[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

const until = (last: string) =>
  migrations.slice(0, migrations.findIndex(({ id }) => id.startsWith(last)) + 1);

/** A database of the commit before registries, with what people had in it. */
async function before(): Promise<Database> {
  const database = await openEmpty();
  opened.push(database);
  await migrate(database, until("044"));
  for (const [index, name] of NAMES.entries()) {
    const number = index + 1;
    await database.query(
      "insert into groups (uid, parent, name, created_at, updated_at) values ($1, null, $2, $3, $3)",
      [organization(number), name, new Date(Date.UTC(2026, 0, number))],
    );
    await database.query(
      "insert into repos (uid, parent, name, created_at, updated_at) values ($1, $2, 'base', now(), now())",
      [repo(number), organization(number)],
    );
    await database.query(
      `insert into tags (uid, parent, name, digest, created_at, updated_at) values ($1, $2, '1.0', $3, now(), now())`,
      [`${repo(number)}/${hex(1, 16)}`, repo(number), digest],
    );
    await database.query(
      "insert into tag_history (repo_uid, tag, since, digest) values ($1, '1.0', now() - interval '1 day', $2)",
      [repo(number), digest],
    );
  }
  await database.query(
    `insert into identities (uid, parent, name, relationship, definition, created_at, updated_at)
     values ($1, $2, 'ci', 'claimMatch', '{}', now(), now())`,
    [`${organization(1)}/${hex(9, 16)}`, organization(1)],
  );
  return database;
}

const contentOf = (database: Database) =>
  Promise.all([
    database.query("select uid, parent, name from groups order by uid"),
    database.query("select uid, parent, name from repos order by uid"),
    database.query("select uid, parent, name, digest, created_at, updated_at from tags order by uid"),
    database.query("select repo_uid, tag, since, digest from tag_history order by repo_uid, tag, since"),
  ]);
const namespacesOf = (database: Database) =>
  database.query<{ name: string; organization: string }>(
    "select name, organization from namespaces where current order by organization",
  );

test("a database from before registries keeps its repos and tags, and each organization gets a namespace, the same at every run", async () => {
  const [one, other] = [await before(), await before()];
  const content = await contentOf(one);
  await migrate(one);
  await migrate(other);
  expect(await contentOf(one)).toEqual(content);
  const names = await namespacesOf(one);
  expect(names).toEqual(await namespacesOf(other));
  expect(names.map(({ name }) => name)).toEqual([
    "acme-inc",
    `acme-inc-${organization(2).slice(0, 8)}`,
    // The beginning of its uid is taken as well.
    `acme-inc-${organization(3).slice(0, 12)}`,
    `registry-${organization(4).slice(0, 8)}`,
    "org",
    "a".repeat(63),
  ]);
  // They answer to these names, and to nobody else's.
  const found = await findNamed(
    one,
    names.map(({ name }) => ({ namespace: name, repo: "base" })),
  );
  expect(found.map(({ organization: owner, repos }) => [owner, repos])).toEqual(
    NAMES.map((_, index) => [organization(index + 1), [repo(index + 1)]]),
  );
  // A pull by digest finds the tag that was there before.
  const now = new Date();
  const ci = `${organization(1)}/${hex(9, 16)}`;
  const pull = {
    repo: repo(1),
    tag: null,
    digest,
    identity: ci,
    first: now,
    last: now,
    asked: 0,
    downloaded: 1,
  };
  await addPulls(one, [pull]);
  const question = {
    days: 30,
    deprecated: false,
    visible: [organization(1)],
    own: [],
    scanners: [],
    most: 10,
  };
  expect(await countUsage(one, { ...question, by: ["USAGE_GROUPING_TAG"] })).toMatchObject([
    { tagName: "1.0", downloads: 1 },
  ]);
});

test("what was counted before the last days of pulls were kept is kept with them", async () => {
  const database = await before();
  await migrate(database, until("046"));
  const ci = `${organization(1)}/${hex(9, 16)}`;
  await database.query(
    `insert into registry_last_pulls (repo_uid, reference, identity_uid, downloaded_at)
     values ($1, '1.0', $2, now() - interval '2 days')`,
    [repo(1), ci],
  );
  await database.query(
    `insert into registry_differences (repository, reference, organization, repo_uid, difference, mended, seen_at)
     values ('acme-inc/base', '1.0', $1, $2, 'DIFFERENCE_TAG_GONE', true, now())`,
    [organization(1), repo(1)],
  );
  await migrate(database);
  await database.query("delete from identities where uid = $1", [ci]);
  const question = {
    days: 30,
    deprecated: false,
    visible: [organization(1)],
    own: [],
    scanners: [],
    most: 10,
  };
  const [row] = await countUsage(database, { ...question, by: ["USAGE_GROUPING_TAG"] });
  expect(row).toMatchObject({ tagName: "1.0", downloads: 0, lastDownloadTime: expect.any(Date) });
  expect(await readDifferences(database, [organization(1)], undefined, 10)).toMatchObject([
    { repository: "acme-inc/base", repo: repo(1) },
  ]);
});
