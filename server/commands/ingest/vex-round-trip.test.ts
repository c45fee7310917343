import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { asStatements } from "../../../src/domains/vulnerabilities/advisories/image-advisories";
import {
  csafFile,
  openVexFile,
  type VexSource,
} from "../../../src/domains/vulnerabilities/advisories/vex-files";
import { verdictOf } from "../../../src/domains/vulnerabilities/advisories/verdict";

import { seedAdvisories } from "../seed/demo-security";
import type { Database } from "../../platform/store/database";
import {
  advisoriesTable,
  advisoryOf,
  type AdvisoryRow,
} from "../../domains/vulnerabilities/advisories.table";
import type { AdvisoryDraft } from "../../domains/vulnerabilities/advisory-drafts.table";
import { writeAdvisories } from "../../domains/vulnerabilities/advisory-writes.table";
import { DIGEST, GROUP, forgetFiles, openForIngest } from "../../testing/ingesting";
import { ingest } from "./ingest";

const [DEMO, EMPTY] = [GROUP, "b".repeat(40)];
const TIMEOUT = { timeout: 240_000 };
const SOURCE: VexSource = {
  author: "Meridian Freight",
  id: "00000000-0000-4000-8000-000000000000",
  namespace: "https://platform.example",
  now: new Date("2026-11-23T00:00:00Z"),
};

let database: Database;
beforeAll(async () => {
  database = await openForIngest(EMPTY);
});
afterAll(() => database.close());
beforeEach(() => forgetFiles(database));

async function advisoriesIn(group: string): Promise<Advisory[]> {
  const rows = await database.query<AdvisoryRow>(
    `select ${advisoriesTable.columns} from advisories t ${advisoriesTable.joins} where t.parent = $1 and t.deleted_at is null`,
    [group],
  );
  return rows.map(advisoryOf);
}

async function take(text: string): Promise<readonly string[]> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return (await ingest(database, chunks(), { group: EMPTY, digest: undefined })).skipped;
}

/** The verdict of each advisory, by all that it is about. */
const verdictsOf = (advisories: readonly Advisory[]) =>
  advisories
    .map((advisory) => {
      const { status, fixedIn, reason, note } = verdictOf(advisory);
      const { aliases, artifactType, artifactName, artifactArchitecture, appliesTo } = advisory;
      const { componentType, componentName, componentLocation } = advisory;
      const about = [
        artifactType,
        artifactName,
        artifactArchitecture,
        appliesTo,
        componentType,
        componentName,
      ];
      return {
        about: [...about, componentLocation, ...(aliases ?? []).toSorted()].join(" | "),
        status,
        fixedIn,
        reason: reason?.vex,
        // Only judgments have notes in both formats.
        note: status === "under_investigation" ? undefined : note,
      };
    })
    .toSorted(by(({ about }) => about));

/** What an export adds to affected products without a note. */
const withoutActions = (verdicts: ReturnType<typeof verdictsOf>) =>
  verdicts.map(({ note, ...rest }) => ({
    ...rest,
    note: note?.endsWith("No fixed version is known.") ? undefined : note,
  }));

const FORMATS = [
  ["OpenVEX", openVexFile],
  ["CSAF", csafFile],
] as const;

test.each(FORMATS)("the demo's verdicts are the same after %s out and in", TIMEOUT, async (_name, write) => {
  await seedAdvisories(database, DEMO);
  const demo = await advisoriesIn(DEMO);
  expect(demo.length).toBeGreaterThan(370);
  expect(new Set(verdictsOf(demo).map(({ status }) => status)).size).toBe(4);
  expect(await take(write(demo, SOURCE))).toEqual([]);
  expect(withoutActions(verdictsOf(await advisoriesIn(EMPTY)))).toEqual(verdictsOf(demo));
});

const draft = (more: Partial<AdvisoryDraft>): AdvisoryDraft => ({
  vulnerability: "CVE-2026-70001",
  aliases: [],
  author: "Tester",
  artifactName: "one",
  artifactType: "apk",
  componentName: more.artifactName ?? "one",
  componentType: more.artifactType ?? "apk",
  events: [{ type: "fixed", data: { fixedVersion: "1.2.3-r1" }, author: "Tester" }],
  ...more,
});
const affected = [
  { type: "truePositiveDetermination", data: { note: "Reachable." }, author: "Tester" },
] as const;

test.each(FORMATS)(
  "what an advisory is about survives %s, whatever the ecosystem",
  TIMEOUT,
  async (_name, write) => {
    await writeAdvisories(database, DEMO, [
      draft({}),
      ...["Wolfi", "Alpine:v3.20", "Wolfi 1.0-r0"].map((appliesTo) => draft({ appliesTo, events: affected })),
      draft({ artifactType: "deb", appliesTo: "Debian:12" }),
      draft({ artifactType: "deb", appliesTo: "Ubuntu:24.04:LTS", events: affected }),
      draft({ artifactType: "rpm", appliesTo: "Red Hat:enterprise_linux:9", events: affected }),
      draft({ artifactType: "npm", artifactName: "@scope/one" }),
      draft({ artifactType: "python", artifactName: "one-two" }),
      draft({ artifactType: "go-module", artifactName: "example.com/one/v2", events: affected }),
      draft({ artifactType: "java-archive", artifactName: "org.example:one" }),
      draft({ artifactType: "composer", artifactName: "acme/one" }),
      draft({
        artifactType: "image",
        artifactName: "registry.example/team/shop",
        appliesTo: DIGEST,
        events: affected,
      }),
      draft({
        artifactType: "image",
        artifactName: "registry.example/team/shop",
        appliesTo: "1.2",
        componentName: "openssl",
        componentType: "apk",
        events: affected,
      }),
      draft({
        artifactName: "several",
        events: [{ type: "patched", data: { patchedVersions: ["1.0-r1", "2.0-r1"] }, author: "Tester" }],
      }),
      draft({ vulnerability: "ACME-1", artifactName: "unnumbered" }),
    ]);
    const before = await advisoriesIn(DEMO);
    expect(await take(write(before, SOURCE))).toEqual([]);
    expect(verdictsOf(await advisoriesIn(EMPTY))).toEqual(verdictsOf(before));
  },
);

test.each(FORMATS)("what an image's page shows survives %s", TIMEOUT, async (_name, write) => {
  await writeAdvisories(database, DEMO, [draft({}), draft({ artifactName: "two", events: affected })]);
  const [one, two] = (await advisoriesIn(DEMO)).toSorted(by(({ artifactName = "" }) => artifactName)) as [
    Advisory,
    Advisory,
  ];
  const installed = (packageName: string, version: string, verdict: string) => ({
    packageName,
    version,
    architecture: "x86_64",
    verdict: `VERSION_VERDICT_${verdict}`,
  });
  const shown = asStatements(
    [
      { advisory: one, installed: installed("one", "1.2.3-r1", "NOT_AFFECTED") },
      { advisory: two, installed: installed("two", "1.0-r0", "AFFECTED") },
      { advisory: two, installed: installed("two-dev", "?", "UNKNOWN") },
    ],
    { name: "team/shop", digest: DIGEST },
  );
  expect(verdictsOf(shown).map(({ status }) => status)).toEqual(["fixed", "affected", "under_investigation"]);
  expect(await take(write(shown, SOURCE))).toEqual([]);
  expect(withoutActions(verdictsOf(await advisoriesIn(EMPTY)))).toEqual(withoutActions(verdictsOf(shown)));
});
