import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Database } from "../../platform/store/database";
import { advisoriesTable, type AdvisoryRow } from "../../domains/vulnerabilities/advisories.table";
import { DIGEST, GROUP, chunked, forgetFiles, openForIngest } from "../../testing/ingesting";
import { tablesOf } from "../../testing/transfer";
import { ingest } from "./ingest";
import type { ReadingOutcome } from "./reading";

let database: Database;
beforeAll(async () => {
  database = await openForIngest();
});
afterAll(() => database.close());
beforeEach(() => forgetFiles(database));

const take = (
  text: string,
  size = 7,
  target = { group: GROUP, digest: DIGEST } as const,
): Promise<ReadingOutcome> => ingest(database, chunked(text, size), target);

const rows = async (): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const table of await tablesOf(database))
    if (/advis|metadata|packages/.test(table))
      found[table] = await database.query(`select * from ${table} t order by 1, 2`);
  return found;
};

const advisoryRows = async () =>
  (
    await database.query<AdvisoryRow>(
      `select ${advisoriesTable.columns}, t.origin, t.namespace, t.latest_event_type, t.fixed_version
       from advisories t ${advisoriesTable.joins} order by t.artifact_name, t.aliases`,
    )
  ).map((row) => ({ ...row, ...advisoriesTable.toItem(row) }));

const OSV = {
  schema_version: "1.6.0",
  id: "GHSA-2345-6789-cfgh",
  modified: "2026-02-03T00:00:00Z",
  published: "2026-01-02T00:00:00Z",
  aliases: ["CVE-2026-90001"],
  summary: "Heap overflow",
  details: "Long.",
  severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
  references: [{ type: "FIX", url: "https://example.com/fix" }],
  affected: [
    {
      package: { ecosystem: "PyPI", name: "requests" },
      ranges: [
        { type: "GIT", events: [{ introduced: "0" }, { fixed: "abcdef" }] },
        { type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1.9" }] },
        { type: "ECOSYSTEM", events: [{ introduced: "2.0" }, { fixed: "2.3" }] },
      ],
    },
  ],
};
const SECDB = {
  reponame: "os",
  packages: [
    {
      pkg: {
        name: "openssl",
        secfixes: {
          "3.1.0-r0": ["CVE-2026-90002"],
          "3.1.0-r10": ["CVE-2026-90002", "CVE-2026-90003 GHSA-xxxx-2222-3333"],
          "0": ["CVE-2026-90004"],
        },
      },
    },
    { pkg: { name: "empty" } },
  ],
};
const VEX = {
  "@context": "https://openvex.dev/ns/v0.2.0",
  "@id": "https://example.com/vex",
  author: "security@acme.example",
  timestamp: "2026-03-01T00:00:00Z",
  statements: [
    {
      vulnerability: { name: "CVE-2026-90002" },
      products: [{ "@id": "pkg:apk/wolfi/openssl@3.1.0-r0" }],
      status: "not_affected",
      justification: "vulnerable_code_not_in_execute_path",
      impact_statement: "Never called.",
    },
    {
      vulnerability: { name: "CVE-2026-90005" },
      products: [
        { "@id": "pkg:apk/wolfi/libssl3@3.1.2-r0?arch=x86_64&origin=openssl" },
        { "@id": "openssl" },
      ],
      status: "fixed",
    },
  ],
};
const PURLS = [
  "pkg:apk/wolfi/libssl3@3.1.2-r0?arch=x86_64&origin=openssl",
  "pkg:apk/wolfi/libssl3@3.1.2-r0?arch=aarch64&origin=openssl",
  "pkg:apk/wolfi/odd@latest?arch=x86_64",
  "pkg:pypi/requests@2.0",
];
const SPDX = {
  spdxVersion: "SPDX-2.3",
  packages: PURLS.map((referenceLocator) => ({
    externalRefs: [{ referenceType: "purl", referenceLocator }],
  })),
};
const CYCLONEDX = { bomFormat: "CycloneDX", components: PURLS.map((purl) => ({ purl })) };

test("OSV: an advisory for each package, and what is known of all its ids", async () => {
  expect(await take(JSON.stringify(OSV, null, 2))).toMatchObject({ advisories: 1, metadata: 2 });
  expect(await advisoryRows()).toMatchObject([
    {
      artifactName: "requests",
      artifactType: "python",
      aliases: ["CVE-2026-90001", "GHSA-2345-6789-cfgh"],
      namespace: "pypi",
      latest_event_type: "fixed",
      fixed_version: "2.3",
      severities: [{ type: "TYPE_CVSS_V3", score: OSV.severity[0]!.score }],
      events: [
        { detection: { manual: {} } },
        {
          fixed: { fixedVersion: "2.3" },
          sourceId: "GHSA-2345-6789-cfgh",
          affectedRanges: [{ fixed: "1.9" }, { introduced: "2.0", fixed: "2.3" }],
        },
      ],
    },
  ]);
  const known = await database.query("select id, refs from vulnerability_metadata order by id");
  const refs = [{ type: "TYPE_FIX", url: "https://example.com/fix" }];
  expect(known).toEqual([
    { id: "CVE-2026-90001", refs },
    { id: "GHSA-2345-6789-cfgh", refs },
  ]);
  await take(JSON.stringify({ ...OSV, withdrawn: "2026-04-01T00:00:00Z" }));
  expect((await advisoryRows())[0]).toMatchObject({ deleteTime: "2026-04-01T00:00:00.000Z" });
});

test("secdb and OpenVEX: what holds for one version stands beside what holds everywhere", async () => {
  const secdb = await take(JSON.stringify(SECDB));
  expect(secdb).toMatchObject({ advisories: 3, skipped: ["line 1: empty has no fixes"] });
  const vex = await take(JSON.stringify(VEX));
  expect(vex).toMatchObject({
    advisories: 2,
    skipped: ["line 1: CVE-2026-90005: openssl is neither a package URL nor an image reference"],
  });
  // secdb has no times, so its events date from the ingest.
  expect(await advisoryRows()).toMatchObject([
    { artifactName: "libssl3", origin: "openssl", artifactArchitecture: "x86_64", fixed_version: "3.1.2-r0" },
    { aliases: ["CVE-2026-90002"], namespace: "os", fixed_version: "3.1.0-r10", applies_to: "" },
    {
      aliases: ["CVE-2026-90002"],
      applies_to: "Wolfi 3.1.0-r0",
      latest_event_type: "falsePositiveDetermination",
    },
    { aliases: ["CVE-2026-90003", "GHSA-xxxx-2222-3333"], fixed_version: "3.1.0-r10" },
    { aliases: ["CVE-2026-90004"], fixed_version: null, latest_event_type: "falsePositiveDetermination" },
  ]);
});

test.each([
  ["SPDX", SPDX],
  ["CycloneDX", CYCLONEDX],
])("%s: the apk packages of an image", async (_name, sbom) => {
  expect(await take(JSON.stringify(sbom))).toMatchObject({ packages: 2, skippedCount: 2 });
  const found = await database.query("select * from image_packages order by architecture");
  expect(found).toEqual(
    ["aarch64", "x86_64"].map((architecture) => ({
      digest: DIGEST,
      architecture,
      name: "libssl3",
      version: "3.1.2-r0",
      origin: "openssl",
      distribution: "Wolfi",
    })),
  );
});

const ALL = [OSV, SECDB, VEX, SPDX];
const FORMS: Readonly<Record<string, string>> = {
  "an array": JSON.stringify(ALL),
  "an array over lines": `\uFEFF${JSON.stringify(ALL, null, 2)}`,
  NDJSON: ALL.map((one) => `${JSON.stringify(one)}\n`).join("\n"),
};

test.each(Object.entries(FORMS))(
  "%s: the same rows in chunks of any size, once and twice",
  async (_form, text) => {
    await take(text, 1_000_000);
    const first = await rows();
    expect(Object.values(first).flat().length).toBeGreaterThan(12);
    await take(text, 3);
    expect(await rows()).toEqual(first);
  },
);

describe("a file that is refused", () => {
  const whole = FORMS["NDJSON"]!;
  const array = FORMS["an array"]!;
  test.each([
    ["cut off in a line", whole.slice(0, -40), "is truncated or not JSON in line 7"],
    ["cut off in an array", array.slice(0, -40), "is truncated or not JSON after entry 3"],
    ["cut off in a document", JSON.stringify(SECDB, null, 2).slice(0, -9), "is truncated or not JSON"],
    ["of another schema", `{"a":1}\n{"b":1}\n`, "line 1: is not in a supported format"],
    [
      "with a wrong field",
      JSON.stringify([{ ...OSV, affected: "all" }]),
      "entry 1: is not valid OSV: affected:",
    ],
    ["not JSON", "<html>", "is not JSON: it is XML"],
    ["empty", " \n", "is empty"],
  ])("%s leaves nothing, and says where", async (_what, text, message) => {
    const before = await rows();
    await expect(take(text)).rejects.toThrow(message);
    expect(await rows()).toEqual(before);
  });

  test("without the option that it needs", async () => {
    const nowhere = { group: undefined, digest: undefined };
    await expect(ingest(database, chunked(JSON.stringify(OSV), 9), nowhere)).rejects.toThrow(
      "is OSV, which needs --group",
    );
    await expect(ingest(database, chunked(JSON.stringify(SPDX), 9), nowhere)).rejects.toThrow(
      "needs --digest",
    );
  });
});

test("a record that cannot be used costs itself, not its file", async () => {
  const text = JSON.stringify([{}, OSV, { ...OSV, affected: "all" }, null, { ...OSV, modified: undefined }]);
  expect(await take(text)).toMatchObject({
    advisories: 1,
    skipped: [
      expect.stringMatching("entry 1: is not in a supported format"),
      expect.stringMatching("entry 3: is not valid OSV: affected:"),
      expect.stringMatching("entry 4: is not in a supported format"),
      "entry 5: is an OSV record without modified",
    ],
  });
});

test("a batch finds its rows by their keys, however many are there already", async () => {
  const read = async () => {
    await database.query("select pg_stat_force_next_flush()");
    const [row] = await database.query<{ rows: number }>(
      `select sum(seq_tup_read)::int as rows from pg_stat_user_tables
       where relname in ('advisories', 'advisory_events', 'vulnerability_metadata', 'artifacts', 'artifact_versions')`,
    );
    return row?.rows ?? 0;
  };
  const records = Array.from({ length: 3_000 }, (_, index) => [
    { ...OSV, id: `GHSA-${index}`, aliases: [`CVE-2026-${index}`] },
    {
      ecosystem: "ECOSYSTEM_PYTHON",
      name: `p${index}`,
      versions: [{ version: "1", createTime: OSV.modified }],
    },
  ]);
  const before = await read();
  await take(
    records
      .flat()
      .map((one) => JSON.stringify(one))
      .join("\n"),
    64_000,
  );
  expect(await read()).toBe(before);
});
