import { afterAll, beforeAll, expect, test } from "vitest";

import { draftOf } from "../../conformance/read-only";
import { World, type Person, type Wire } from "../../conformance/world";
import { fieldsOf } from "../../conformance/world";
import { advisoryUid, type AdvisoryDraft } from "./advisory-drafts.table";
import { writeAdvisories, writePackages } from "./advisory-writes.table";

// Recomputes reports from the rows alone: a small organization with made-up images.
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1);
const at = (day: number, hour = 12) => new Date(START + day * DAY + hour * 3_600_000);
const date = (day: number) => `${at(day).toISOString().slice(0, 10)}T00:00:00.000Z`;
const digest = (index: number) => `sha256:${String(index).padStart(64, "0")}`;

let world: World;
let owner: Person;
let organization: string;
let repo: string;

interface Build {
  readonly digest: string;
  /** Version by package. */
  readonly packages: Readonly<Record<string, number>>;
}
/** Versions are integers here, so that the test can compare them itself. */
const BUILDS: readonly Build[] = Array.from({ length: 40 }, (_, index) => ({
  digest: digest(index),
  packages: Object.fromEntries(
    ["alpha", "beta", "gamma", "delta"]
      // Delta is removed at some point: removed is not fixed.
      .filter((name) => name !== "delta" || index < 25)
      .map((name, place) => [name, Math.floor((index * (place + 2)) / 4)]),
  ),
}));
/** Tag, day, hour, build. */
const MOVES: readonly (readonly [string, number, number, number])[] = Array.from(
  { length: 60 },
  (_, index) => [
    ["latest", "1.0", "edge"][index % 3]!,
    Math.floor(index * 0.9),
    (index * 7) % 24,
    Math.min(39, Math.floor(index * 0.66)),
  ],
);
/** Package and fixing version. */
const FIXES: readonly (readonly [string, number])[] = ["alpha", "beta", "gamma", "delta"].flatMap((name) =>
  Array.from({ length: 9 }, (_, index): [string, number] => [name, 1 + index * 3]),
);

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  const folder = await world.create(owner, "groups", organization, { name: "folder" });
  repo = await world.create(owner, "repos", folder, { name: "app" });
  const { database } = world.service;
  for (const { digest, packages } of BUILDS)
    await writePackages(
      database,
      digest,
      Object.entries(packages).map(([name, version]) => ({
        architecture: "x86_64",
        name,
        version: `${version}-r0`,
        origin: name,
      })),
    );
  for (const [tag, day, hour, build] of MOVES)
    await database.query("insert into tag_history (repo_uid, tag, since, digest) values ($1, $2, $3, $4)", [
      repo,
      tag,
      at(day, hour),
      digest(build),
    ]);
  const fixed = (name: string, version: number): AdvisoryDraft =>
    draftOf(name, {
      events: [
        { type: "detection", data: { manual: {} }, author: "scanner", at: at(-9) },
        { type: "fixed", data: { fixedVersion: `${version}-r0` }, author: "a", at: at(-8) },
      ],
    });
  const drafts = FIXES.map(([name, version]) => fixed(name, version));
  await writeAdvisories(database, organization, drafts);
});
afterAll(() => world.service.stop());

const report = (query: Record<string, string>, by = owner) =>
  world.send(by.token, "resolvedVulnsReports.list", {
    query: { startTime: date(0), endTime: date(60), ...query },
  });
const reportOf = async (query: Record<string, string>): Promise<Wire[]> => {
  const answer = await report(query);
  expect([answer.status, answer.json.message]).toEqual([200, undefined]);
  return answer.json["resolvedVulnsReports"] as Wire[];
};

/** Number of advisories by day that some of these tags got rid of. */
function computed(tags: readonly string[], from: number, to: number): [string, number][] {
  const found: [string, number][] = [];
  for (let day = from; day <= to; day++) {
    const resolved = new Set<number>();
    for (const tag of tags) {
      const until = (limit: number) =>
        MOVES.filter(([name, when]) => name === tag && when < limit)
          .toSorted((a, b) => a[1] - b[1] || a[2] - b[2])
          .at(-1)?.[3];
      const [before, after] = [until(day), until(day + 1)];
      if (before === undefined || after === undefined || before === after) continue;
      for (const [index, [name, fixedIn]] of FIXES.entries()) {
        const [was, is] = [BUILDS[before]!.packages[name], BUILDS[after]!.packages[name]];
        if (was !== undefined && is !== undefined && was < fixedIn && is >= fixedIn) resolved.add(index);
      }
    }
    if (resolved.size > 0) found.push([date(day), resolved.size]);
  }
  return found;
}

test.each([
  ["latest", ["latest"], 0, 60],
  ["1.0,edge", ["1.0", "edge"], 0, 60],
  ["latest,1.0,edge,none", ["latest", "1.0", "edge"], 10, 30],
] as const)("%s: as computed from tags, packages and advisories", async (tags, names, from, to) => {
  const rows = await reportOf({ imageRefs: `acme/app:${tags}`, startTime: date(from), endTime: date(to) });
  const expected = computed(names, from, to);
  expect(expected.length).toBeGreaterThan(3);
  expect(rows.map((row) => [row["date"], row["resolvedVulns"].length])).toEqual(expected);
  for (const name of names) {
    const own = (one: Wire) => (one["resolvedTags"] as string[]).includes(`${repo}:${name}`);
    const of = rows.map((row): [string, number] => [row["date"], row["resolvedVulns"].filter(own).length]);
    expect(of.filter(([, count]) => count > 0)).toEqual(computed([name], from, to));
  }
});

test("a repo is named by its uid, with its organization, or alone; no tag is latest", async () => {
  const expected = await reportOf({ imageRefs: `${repo}:latest` });
  for (const imageRefs of [repo, "acme/app", "app", "app:latest"])
    expect(await reportOf({ imageRefs })).toEqual(expected);
});

test("an image that nobody sees is refused in the words of one that is not there", async () => {
  const stranger = await world.person("stranger");
  const hidden = await report({ imageRefs: "acme/app" }, stranger);
  const unknown = await report({ imageRefs: "acme/app" }, await world.person("another"));
  expect(fieldsOf(hidden)).toEqual(["imageRefs"]);
  expect(hidden.json).toEqual(unknown.json);
  const none = await report({ imageRefs: "none" });
  expect(none.json.message.replace("none", "acme/app")).toBe(hidden.json.message);
});

test("a name that two repos have is refused, with every other violation", async () => {
  const folder = await world.create(owner, "groups", organization, { name: "beside" });
  await world.create(owner, "repos", folder, { name: "app" });
  expect(fieldsOf(await report({ imageRefs: "app", endTime: date(-1) }))).toEqual(["imageRefs", "endTime"]);
  expect(fieldsOf(await report({ imageRefs: repo, endTime: date(366) }))).toEqual(["endTime"]);
  expect((await report({ imageRefs: repo, endTime: date(365) })).status).toBe(200);
  expect(fieldsOf(await world.send(owner.token, "resolvedVulnsReports.list"))).toEqual([
    "imageRefs",
    "startTime",
    "endTime",
  ]);
});

test("what a newer judgement overrules, or was deleted, resolves nothing; the rest stands", async () => {
  const before = await reportOf({ imageRefs: repo });
  const ids = before.flatMap((row) => row["resolvedVulns"].map(({ id }: Wire) => id));
  const { database } = world.service;
  const [withdrawn, contested] = ids as [string, string];
  await database.query("update advisories set deleted_at = now() where advisory_id = $1", [withdrawn]);
  const [row] = await database.query("select * from advisories where advisory_id = $1", [contested]);
  const draft: AdvisoryDraft = {
    ...draftOf(String(row?.["artifact_name"])),
    vulnerability: String((row?.["aliases"] as string[] | undefined)?.[0]),
    events: [{ type: "falsePositiveDetermination", data: {}, author: "a", at: at(-1) }],
  };
  expect(advisoryUid(organization, draft)).toBe(row?.["uid"]);
  await writeAdvisories(database, organization, [draft]);
  const after = await reportOf({ imageRefs: repo });
  expect(after.flatMap((one) => one["resolvedVulns"].map(({ id }: Wire) => id))).toEqual(
    ids.filter((id) => id !== withdrawn && id !== contested),
  );
});
