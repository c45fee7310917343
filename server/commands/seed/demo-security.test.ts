import { afterAll, beforeAll, expect, test } from "vitest";

import { World, type Person, type Wire } from "../../conformance/world";
import { isApkVersion } from "../../platform/store/versions/apk-version";
import { ORGANIZATION } from "./demo-data";
import { demoAdvisories, releasesOf } from "./demo-security";
import { PACKAGES } from "./demo-security-data";

const DAY = 86_400_000;

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.open({
    SEED: "demo",
    ADMIN_EMAIL: "owner@demo.example",
    ADMIN_PASSWORD: "a long password",
  });
  const [account] = await world.service.database.query<{ subject: string }>(
    "select subject from accounts where email = 'owner@demo.example'",
  );
  owner = await world.person(account!.subject);
});
afterAll(() => world.service.stop());

test("there are about 400 advisories, whose events are in order and of every kind", () => {
  const { advisories, metadata } = demoAdvisories(Date.UTC(2026, 6, 1));
  expect(advisories.length).toBeGreaterThan(370);
  expect(advisories.length).toBeLessThan(450);
  expect(new Set(metadata.map(({ id }) => id)).size).toBe(metadata.length);
  for (const { events } of advisories) {
    const times = events.map(({ at }) => at!.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((time) => time < Date.UTC(2026, 6, 1))).toBe(true);
  }
  expect(new Set(advisories.flatMap(({ events }) => events.map(({ type }) => type))).size).toBe(8);
});

test("every version of a package is one of apk", () => {
  const versions = PACKAGES.flatMap((one) => releasesOf(one).map(({ version }) => version));
  expect(versions.filter((version) => !isApkVersion(version))).toEqual([]);
});

test("an image has the version of its tag of the package that its repo is named after", async () => {
  const wrong = [];
  let compared = 0;
  for (const { name: origin, repos = [] } of PACKAGES)
    for (const repo of repos) {
      const found = await world.service.database.query<{ tag: string; version: string }>(
        `select distinct t.name as tag, p.version from tags t join repos r on r.uid = t.parent
           join image_packages p on p.digest = t.digest and p.origin = $2 where r.name = $1`,
        [repo, origin],
      );
      for (const { tag, version } of found.filter(({ tag: name }) => /\d-r\d+$/.test(name))) {
        compared += 1;
        if (tag !== version && tag.replace("-dev", "") !== version)
          wrong.push(`${repo}:${tag} has ${version}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(100);
});

test("a visitor finds the advisories, and ninety days of resolutions", async () => {
  const { advisories, totalCount } = await world.make(owner, "advisories.list", {
    query: { page_size: "200" },
  });
  expect(Number(totalCount)).toBeGreaterThan(370);
  expect(advisories.filter(({ severities }: Wire) => !severities)).toEqual([]);
  const report = async (name: string): Promise<Wire[]> => {
    const query = {
      imageRefs: `${ORGANIZATION}/${name}`,
      startTime: new Date(Date.now() - 90 * DAY).toISOString(),
      endTime: new Date().toISOString(),
    };
    return (await world.make(owner, "resolvedVulnsReports.list", { query }))["resolvedVulnsReports"];
  };
  for (const name of ["python", "postgres", "redis"]) {
    const days = await report(name);
    expect([name, days.length > 2]).toEqual([name, true]);
  }
});
