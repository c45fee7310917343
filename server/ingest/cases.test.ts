import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { advisoriesTable } from "../store/advisories";
import type { Database, Row } from "../store/database";
import { openMigrated } from "../testing/database";
import { ingest } from "./ingest";

/** Small inputs, each with the shape of something that went wrong on a real feed. */
const at = (name: string): string => fileURLToPath(new URL(`cases/${name}`, import.meta.url));
const GROUP = "a".repeat(40);
const DIGEST = `sha256:${"1".repeat(64)}`;

let database: Database;
beforeAll(async () => {
  database = await openMigrated();
  await database.query(
    "insert into groups (uid, parent, name, created_at, updated_at) values ($1, null, 'acme', now(), now())",
    [GROUP],
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ["advisories", "advisory_records", "vulnerability_metadata", "image_packages"])
    await database.query(`delete from ${table}`);
});

async function take(...names: string[]) {
  const skipped: string[] = [];
  for (const name of names)
    skipped.push(
      ...(await ingest(database, createReadStream(at(name)), { group: GROUP, digest: DIGEST })).skipped,
    );
  return skipped;
}

const rows = (): Promise<Row[]> =>
  database.query(
    `select ${advisoriesTable.columns}, t.latest_event_type, t.fixed_version
     from advisories t ${advisoriesTable.joins} where t.deleted_at is null
     order by t.artifact_type, t.artifact_name, t.applies_to, t.aliases`,
  );

const STATUS: Readonly<Record<string, string>> = {
  truePositiveDetermination: "affected",
  falsePositiveDetermination: "not affected",
  detection: "unknown",
};

/** Each advisory in one line: package, where it holds, verdict, affected ranges. */
async function verdicts(): Promise<string[]> {
  return (await rows()).map((row) => {
    const type = String(row["latest_event_type"]);
    const events = advisoriesTable.toItem(row)["events"] as Row[];
    const newest = events.findLast((event) => type in event);
    const ranges = (newest?.["affectedRanges"] ?? []) as Row[];
    const words = ranges.map(
      ({ introduced = "", fixed, lastAffected }) =>
        `[${introduced}, ${fixed ?? (lastAffected ? `${lastAffected}]` : "")})`,
    );
    const versions = (newest?.["affectedVersions"] ?? []) as string[];
    const status = type === "fixed" ? `fixed ${row["fixed_version"] ?? "as it is"}` : STATUS[type];
    return [
      `${row["artifact_type"]}/${row["artifact_name"]}`,
      row["applies_to"],
      status,
      ...words,
      ...versions,
    ]
      .filter(Boolean)
      .join(" ");
  });
}

test.each<[files: string[], expected: string[]]>([
  [
    ["01-same-times.ndjson"],
    [
      "npm/alpha-five fixed 1.2.5 [, 1.2.5)",
      "npm/alpha-four fixed 1.2.4 [, 1.2.4)",
      "npm/alpha-one fixed 1.2.1 [, 1.2.1)",
      "npm/alpha-six fixed 1.2.6 [, 1.2.6)",
      "npm/alpha-three fixed 1.2.3 [, 1.2.3)",
      "npm/alpha-two fixed 1.2.2 [, 1.2.2)",
    ],
  ],
  [["02-modified-before-published.json"], ["go-module/example.com/beta fixed 1.4.0 [, 1.4.0)"]],
  [["03-fixed-then-open.json"], ["go-module/example.com/gamma affected [, 0.47.10) [0.50.0, )"]],
  [
    ["04-two-entries-one-package.json"],
    ["java-archive/com.example:delta fixed 9.0.3 [, 7.17.16) [8.0.0, 8.11.2) [9.0.0, 9.0.3)"],
  ],
  [
    ["05-ranges-newest-first.json"],
    ["java-archive/com.example:epsilon fixed 12.10.2 [11.6.1, 11.10.13) [12.0, 12.6.7) [12.10.0, 12.10.2)"],
  ],
  [["06-last-affected.json"], ["python/zeta affected [, 2.8.0])"]],
  [["07-versions-only.json"], ["npm/eta affected 103.99.99"]],
  [
    ["08-two-releases.json"],
    [
      "deb/theta Debian:11 fixed 1.2-1+deb11u2 [, 1.2-1+deb11u2)",
      "deb/theta Debian:12 fixed 1.4-2+deb12u1 [, 1.4-2+deb12u1)",
      "deb/theta Debian:13 affected [, )",
    ],
  ],
  [
    ["09a-branch-old.json", "09b-branch-new.json"],
    ["apk/iota Alpine:v3.18 fixed 3.1.4-r6", "apk/iota Alpine:v3.21 fixed 3.3.2-r4"],
  ],
  [
    ["09b-branch-new.json", "09a-branch-old.json"],
    ["apk/iota Alpine:v3.18 fixed 3.1.4-r6", "apk/iota Alpine:v3.21 fixed 3.3.2-r4"],
  ],
  [
    ["10-two-distributions.ndjson"],
    ["apk/kappa Alpine:v3.20 affected [, )", "apk/kappa Wolfi fixed 2.0.1-r0 [, 2.0.1-r0)"],
  ],
  [["12a-withdrawn.json"], []],
  [["12a-withdrawn.json", "12b-restored.json"], ["npm/mu affected [, )"]],
  [["12b-restored.json", "12a-withdrawn.json"], ["npm/mu affected [, )"]],
  [["14-pypi-names.ndjson"], ["python/xi-widgets fixed 3.0.1 [, 3.0.1)"]],
  [
    ["18-secdb-comments.json"],
    [
      "apk/tau Alpine:v3.21 fixed 2.1-r0",
      "apk/tau Alpine:v3.21 fixed 2.3-r0",
      "apk/tau Alpine:v3.21 fixed 2.4-r0",
      "apk/tau Alpine:v3.21 fixed 2.5-r0",
      "apk/tau Alpine:v3.21 fixed 2.0-r0",
    ],
  ],
  [["21-vex-identifiers.json"], ["apk/psi Wolfi fixed 1.2.3-r1"]],
  [
    ["22-vex-two-digests.json"],
    [
      `image/registry.example/team-a/shop sha256:${"a".repeat(64)} affected`,
      `image/registry.example/team-b/shop sha256:${"b".repeat(64)} not affected`,
    ],
  ],
  [["24-vex-id-only.json"], ["apk/ahab Wolfi not affected"]],
  [
    ["25-vex-image-whole.json"],
    [
      "image/registry.example/team-a/shop 1.2 not affected",
      `image/shop sha256:${"a".repeat(64)} fixed as it is`,
    ],
  ],
  [["27-vex-v001.json"], ["apk/peleg Wolfi fixed 1.0.0-r0"]],
  [
    ["34-multi-cve.ndjson"],
    [
      "deb/queequeg Ubuntu:24.04:LTS affected [, )",
      "deb/queequeg Ubuntu:24.04:LTS fixed 2.0-1ubuntu0.2 [, 2.0-1ubuntu0.2)",
    ],
  ],
])("%j", async (files, expected) => {
  await take(...files);
  expect(await verdicts()).toEqual(expected);
  // Again, the same.
  await take(...files);
  expect(await verdicts()).toEqual(expected);
});

test("packages of one ecosystem meet, whatever their sources call it", async () => {
  await take("32-ecosystem-types.ndjson", "33-vex-composer.json");
  const names = (await rows()).map((row) => `${row["artifact_type"]}/${row["artifact_name"]}`);
  for (const name of ["composer/flask/flask", "githubactions/acme/setup", "rpm/flaskrh"])
    expect(names.filter((each) => each === name)).toHaveLength(2);
});

test("severities of packages count, and what is no vector is skipped with the reason", async () => {
  const skipped = await take("15-cvss-oddities.ndjson");
  const known = await database.query<{ id: string; severities: { score: string }[] }>(
    "select id, severities from vulnerability_metadata order by id",
  );
  expect(known.map(({ severities }) => severities.length)).toEqual([2, 0, 1]);
  expect(skipped.join("\n")).toContain("9.8 is not a CVSS_V3 vector");
});

test.each([
  ["16-no-modified.json", "is an OSV record without modified"],
  ["17-secdb-empty-object.json", undefined],
  ["20-secdb-null.json", undefined],
])("%s: one bad entry costs itself", async (name, refused) => {
  const taken = take(name);
  if (refused !== undefined) return await expect(taken).rejects.toThrow(refused);
  await taken;
  expect((await rows()).length).toBeGreaterThan(0);
});

test.each([
  ["28-cdx-nested.json", 3],
  ["37-spdx-files-only.json", 0],
  ["38-cdx-null-components.json", 0],
  ["39-cdx-purls.json", 6],
  ["40-dsse-attestation.json", 2],
  ["41-in-toto-statement.json", 2],
])("%s has %d packages", async (name, count) => {
  const skipped = await take(name);
  expect(await database.query("select 1 from image_packages")).toHaveLength(count);
  if (count === 0) expect(skipped.join("\n")).toContain("no apk packages");
});
