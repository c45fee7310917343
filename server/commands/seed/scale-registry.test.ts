import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parentOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { tags } from "platform-contract/registry/tags";

import { readConfig } from "../../config";
import type { Database } from "../../platform/store/database";
import { ensureBuiltInRoles } from "../../domains/access/roles.table";
import { familyOf } from "../../domains/registry/tags.table";
import { openMigrated } from "../../testing/database";
import { seedScale } from "./scale";
import { planGroups, scaleUid } from "./scale-plan";
import { planRepo, planTags, type PlannedRepo } from "./scale-registry-plan";

const quiet = { step: () => {}, say: () => {} };
const share = (part: readonly unknown[], of: readonly unknown[]) => part.length / of.length;

describe("the plan", () => {
  const size = { repos: 1_000, tags: 50_000 };
  const { uids } = planGroups({ groups: 300, depth: 6, identities: 0, bindings: 0 });
  const planned = Array.from({ length: size.repos }, (_, index) => planRepo(size, uids, index));
  const all = planned.flatMap((repo, index) => [...planTags(repo, index)]);

  test("is the same every time, with as many tags as asked for, each once", () => {
    expect(planRepo(size, uids, 41)).toEqual(planned[41]);
    expect([...planTags(planned[41] as PlannedRepo, 41)]).toEqual(
      all.filter(({ parent }) => parent === planned[41]?.uid),
    );
    expect([all.length, new Set(all.map(({ uid }) => uid)).size]).toEqual([50_000, 50_000]);
    expect(new Set(all.map(({ parent, name }) => `${parent} ${name}`)).size).toBe(50_000);
    expect(new Set(planned.map(({ parent, name }) => `${parent} ${name}`)).size).toBe(1_000);
  });

  test.each([
    [1, 7],
    [2, 7],
    [2, 70],
    [3, 1_000],
  ])("of %i repos has all %i tags too", (some, wanted) => {
    const counts = Array.from(
      { length: some },
      (_, index) => planRepo({ repos: some, tags: wanted }, uids, index).tags,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wanted);
  });

  test("has a repo with 12 % of the tags and one with 50, and the others all over the groups", () => {
    expect(planned.slice(0, 2).map(({ parent, tags: count }) => [parent, count])).toEqual([
      [scaleUid, 6_000],
      [scaleUid, 50],
    ]);
    expect(Math.max(...planned.slice(2).map(({ tags: count }) => count))).toBeLessThan(250);
    expect(new Set(planned.map(({ parent }) => parent)).size).toBeGreaterThan(150);
  });

  test("has every family of names, a fifth deprecated, and several names for an image", () => {
    const family = (wanted: string) => all.filter(({ name }) => familyOf(name) === wanted);
    expect(share(family(""), all)).toBeGreaterThan(0.45);
    for (const hidden of ["dated", "epoch", "referrer"])
      expect(share(family(hidden), all)).toBeGreaterThan(0.04);
    const deprecated = share(
      all.filter((tag) => tag.deprecated),
      all,
    );
    expect(deprecated).toBeGreaterThan(0.15);
    expect(deprecated).toBeLessThan(0.25);
    expect(share([...new Set(all.map(({ digest }) => digest))], all)).toBeLessThan(0.6);
  });

  test("is what the service would take, and nothing is older than what holds it", () => {
    const refused = (request: { safeParse(value: unknown): { success: boolean } }, rows: readonly object[]) =>
      rows.filter((row) => !request.safeParse(row).success);
    expect(refused(tags.request, all)).toEqual([]);
    expect(
      refused(
        repos.request,
        planned.map(({ name, description, tier, activeTags }) => ({
          name,
          description,
          catalogTier: `CATALOG_TIER_${tier}`,
          activeTags,
        })),
      ),
    ).toEqual([]);
    const born = new Map(planned.map(({ uid, created }) => [uid, created]));
    const odd = all.filter(
      ({ parent, created, updated }) => updated < created || created < (born.get(parent) ?? created),
    );
    expect(odd).toEqual([]);
    const latest = Math.max(...[...all, ...planned].map(({ updated }) => updated.getTime()));
    expect(latest).toBeLessThan(Date.UTC(2026, 10, 1));
  });
});

describe("what is written", () => {
  const options = { groups: 300, depth: 6, identities: 10, bindings: 2, advisories: 0, visible: [] };
  const config = readConfig({});
  let database: Database;
  beforeAll(async () => {
    database = await openMigrated();
    await ensureBuiltInRoles(database);
  });
  afterAll(() => database.close());
  const count = async (what: string) =>
    (await database.query<{ n: number }>(`select count(*) as n from ${what}`))[0]?.n;

  test("joins an organization that has none, once, with the manifests of its images", async () => {
    await seedScale(config, database, { ...options, repos: 0, tags: 0 }, quiet);
    const full = { ...options, repos: 40, tags: 3_000 };
    for (const _ of ["written", "there already"]) {
      await seedScale(config, database, full, quiet);
      expect([await count("groups"), await count("repos"), await count("tags")]).toEqual([300, 40, 3_000]);
    }
    expect(await count("repos r where not exists (select from groups g where g.uid = r.parent)")).toBe(0);
    const [bare] = await database.query<{ n: number }>(
      `select count(*) as n from tags t where family <> 'referrer' and 2 <>
         (select count(*) from manifests m where m.repo_uid = t.parent and m.digest = t.digest and m.size > 1000000)`,
    );
    expect(bare?.n).toBe(0);
    const uids = await database.query<{ uid: string; parent: string }>(
      "select uid, parent from tags limit 5",
    );
    expect(uids.map(({ uid }) => parentOf(uid))).toEqual(uids.map(({ parent }) => parent));
  });

  test("is refused with other numbers", async () => {
    const other = { ...options, repos: 41, tags: 3_000 };
    await expect(seedScale(config, database, other, quiet)).rejects.toThrow(
      /other options \(.*--repos 40 --tags 3000\)/,
    );
  });
});
