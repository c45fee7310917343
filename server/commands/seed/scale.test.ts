import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { depthOf, isWithin, parentOf } from "platform-contract/aip";

import { readConfig } from "../../config";
import { checkPassword } from "../../platform/oidc/accounts";
import type { Database } from "../../platform/store/database";
import { ensureBuiltInRoles } from "../../domains/access/roles.table";
import { personUid } from "../../platform/store/uids";
import { openMigrated } from "../../testing/database";
import { progressOn } from "./progress";
import { seedScale } from "./scale";
import { readOptions, type ScaleOptions } from "./scale-options";
import { viewerEmail } from "./scale-people";
import { apart, deepestIndex, planGroups, planIdentity, scaleUid, wideIndex } from "./scale-plan";

const SMALL: ScaleOptions = {
  groups: 300,
  depth: 6,
  identities: 120,
  // More than identities: some hold two roles.
  bindings: 150,
  repos: 0,
  tags: 0,
  advisories: 0,
  visible: [1, 30],
};
const config = readConfig({ PORT: "8080" });
const quiet = progressOn({ isTTY: false, write: () => true });

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await ensureBuiltInRoles(database);
});
afterAll(() => database.close());

const all = <R>(sql: string): Promise<R[]> => database.query<R>(sql);

describe("the plan", () => {
  const large = { ...SMALL, groups: 25_000, depth: 10 };
  const { uids, group } = planGroups(large);

  test("is the same every time, and each group comes after the one that holds it", () => {
    expect(planGroups(large).uids).toEqual(uids);
    expect(new Set(uids).size).toBe(25_000);
    const places = new Map(uids.map((uid, index) => [uid, index]));
    expect(uids.filter((uid, index) => (places.get(parentOf(uid)) ?? -1) >= index)).toEqual([]);
    expect(planIdentity(large, uids, 41)).toEqual(planIdentity(large, uids, 41));
  });

  test("reaches the full depth and no further, and has one group with 10,000 children", () => {
    expect(Math.max(...uids.map(depthOf))).toBe(10);
    expect(depthOf(uids[deepestIndex(large)] ?? "")).toBe(10);
    const wide = uids[wideIndex(large)];
    expect(uids.filter((uid) => parentOf(uid) === wide)).toHaveLength(10_000);
  });

  test("has names and times that the service would take", () => {
    const odd = [...uids.keys()].map(group).filter(({ name, created, updated }) => {
      const { length } = [...name];
      return length < 3 || length > 63 || updated < created || updated.getTime() > Date.UTC(2026, 10, 1);
    });
    expect(odd).toEqual([]);
    const names = Array.from({ length: 5_000 }, (_, index) => planIdentity(large, uids, index).name);
    expect(new Set(names).size).toBe(5_000);
    expect(names.filter((name) => !/^[a-z0-9 ._-]+$/.test(name))).toEqual([]);
  });

  test("finds groups that lie apart, or says that there are not so many", () => {
    const found = apart(uids, 500) ?? [];
    expect(new Set(found).size).toBe(500);
    expect(found.filter((uid) => found.some((other) => other !== uid && isWithin(uid, other)))).toEqual([]);
    expect(apart(uids, 24_999)).toBeUndefined();
  });
});

test("writes what was asked for, once, with people who see their part of it", async () => {
  const accounts = await seedScale(config, database, SMALL, quiet);
  const count = async (table: string) =>
    (
      await all<{ n: number }>(
        `select count(*) as n from ${table} where parent is not null or '${table}' = 'groups'`,
      )
    )[0]?.n;
  expect([await count("groups"), await count("identities")]).toEqual([300, 120]);
  expect(accounts.map(({ email, password }) => [email, password])).toEqual([
    ["owner@demo.example", "platform-demo"],
    [viewerEmail(1), "platform-demo"],
    [viewerEmail(30), "platform-demo"],
  ]);
  const holds = async (email: string) => {
    const account = await checkPassword(database, email, "platform-demo");
    const uid = personUid(config.issuer, account?.subject ?? "");
    return all<{ parent: string; role: string }>(
      `select b.parent, r.name as role from role_bindings b join roles r on r.uid = b.role_uid where b.identity_uid = '${uid}'`,
    );
  };
  expect(await holds(config.adminEmail)).toEqual([{ parent: scaleUid, role: "owner" }]);
  expect(await holds(viewerEmail(30))).toHaveLength(30);
  // 150 for identities, 1 + 1 + 30 for people.
  expect(await count("role_bindings")).toBe(182);

  const rows = () =>
    all("select uid, name, created_at, updated_at, last_seen_at from identities order by uid");
  const before = await rows();
  const again = await seedScale(config, database, SMALL, quiet);
  expect(again.map(({ password }) => password)).toEqual([undefined, undefined, undefined]);
  expect([await rows(), await count("role_bindings")]).toEqual([before, 182]);
});

test("the people follow another PUBLIC_URL, and other options are refused", async () => {
  const elsewhere = readConfig({ PORT: "9090" });
  await seedScale(elsewhere, database, SMALL, quiet);
  const owners = await all(
    "select 1 from role_bindings where parent = '" +
      scaleUid +
      "' and role_uid in (select uid from roles where name = 'owner')",
  );
  expect(owners).toHaveLength(2);
  await expect(seedScale(config, database, { ...SMALL, groups: 301 }, quiet)).rejects.toThrow(
    /already, with other options \(.*--groups 300 /,
  );
});

test("a number of separate groups that cannot be had is refused before anything is written", async () => {
  const other = await openMigrated();
  await expect(seedScale(config, other, { ...SMALL, visible: [290] }, quiet)).rejects.toThrow(/--visible/);
  expect(await other.query("select 1 from groups")).toEqual([]);
  await other.close();
});

describe("options", () => {
  test("have defaults", () => {
    expect(readOptions([])).toEqual({
      groups: 100_000,
      depth: 10,
      identities: 100_000,
      bindings: 10_000,
      repos: 0,
      tags: 0,
      advisories: 0,
      visible: [],
    });
    const words =
      "--groups 50 --depth 4 --identities 7 --bindings 2 --repos 3 --tags 99 --advisories 5 --visible 1,3";
    expect(readOptions(words.split(" "))).toEqual({
      groups: 50,
      depth: 4,
      identities: 7,
      bindings: 2,
      repos: 3,
      tags: 99,
      advisories: 5,
      visible: [1, 3],
    });
    expect(readOptions(["--repos", "4"])).toMatchObject({ repos: 4, tags: 200 });
  });

  test.each([
    ["--groups many", /--groups: "many"/],
    ["--groups 3 --depth 5", /--groups: "3" is not a whole number from 5/],
    ["--depth 33", /--depth: "33" .* to 32/],
    ["--identities 5 --bindings 16", /--bindings: "16" .* to 15/],
    ["--visible 1,x", /--visible: "x"/],
    ["--tags 5", /--tags: "5" is not a whole number from 0 to 0/],
    ["--organizations 5", /--organizations/],
  ])("%s is refused by name", (words, message) => {
    expect(() => readOptions(words.split(" "))).toThrow(message);
  });
});

test("progress is a bar on a terminal, and lines elsewhere", () => {
  const written = (isTTY: boolean) => {
    let text = "";
    const { step, say } = progressOn({ isTTY, write: (part: unknown) => ((text += String(part)), true) });
    for (const done of [0, 3, 5, 100]) step("groups", done, 100);
    say("Done.");
    return text;
  };
  expect(written(false)).toBe("0 of 100 groups\n100 of 100 groups\nDone.\n");
  expect(written(true).split("\r").at(-1)).toBe(`[${"#".repeat(30)}] 100 of 100 groups\nDone.\n`);
});
