import { describe, expect, it } from "vitest";

import { itemLine, readItem, writeItem } from "./item";
import { readPastedText } from "./read";

const GHSA = "GHSA-xvch-5gv4-984h";

/** A text as a tool writes it, and what it asks about. */
const TEXTS: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ["a CVE", " cve-2026-91338. ", ["CVE-2026-91338"]],
  ["a GHSA in quotes", `"${GHSA.toUpperCase()}"`, [GHSA]],
  [
    "ids of distributions",
    "DSA-5417-1 RHSA-2026:1234\nALAS2-2026-123",
    ["DSA-5417-1", "RHSA-2026:1234", "ALAS2-2026-123"],
  ],
  ["a page of the NVD", "https://nvd.nist.gov/vuln/detail/CVE-2026-91338#range-1", ["CVE-2026-91338"]],
  ["a page of a GHSA", `https://github.com/advisories/${GHSA}`, [GHSA]],
  ["a page of OSV", "https://osv.dev/vulnerability/GO-2026-1234", ["GO-2026-1234"]],
  ["a package", "openssl", ["openssl"]],
  ["a package with version", "openssl 3.3.1-r0", ["openssl@3.3.1-r0"]],
  ["npm's way", "@scope/left-pad@1.2.3", ["@scope/left-pad@1.2.3"]],
  ["pip's way", "requests==2.31.0", ["requests@2.31.0"]],
  ["apk's way", "redis-7.2.4-r1", ["pkg:apk/redis@7.2.4-r1"]],
  ["a package URL", "pkg:apk/wolfi/redis@7.2.4-r1", ["pkg:apk/redis@7.2.4-r1"]],
  [
    "a package URL of one build",
    "pkg:apk/wolfi/redis@7.2.4-r1?arch=amd64&distro=wolfi-1&upstream=x#y",
    ["pkg:apk/redis@7.2.4-r1?arch=x86_64&distro=wolfi-1"],
  ],
  ["a package URL of Maven", "pkg:maven/org.apache/log4j@2.14.1", ["pkg:maven/org.apache/log4j@2.14.1"]],
  ["a package URL of Go", "pkg:golang/github.com/a/b@v1.0.0", ["pkg:golang/github.com/a/b@v1.0.0"]],
  ["a page of npm", "https://www.npmjs.com/package/@scope/pad/v/1.0.0", ["pkg:npm/%40scope/pad@1.0.0"]],
  ["a page of PyPI", "https://pypi.org/project/requests/2.31.0/", ["pkg:pypi/requests@2.31.0"]],
  ["a page with a name that is no text", "https://pypi.org/project/a%E0", ["pkg:pypi/a%25E0"]],
  ["a page of Go", "https://pkg.go.dev/github.com/a/b@v1.0.0/c", ["pkg:golang/github.com/a/b@v1.0.0"]],
  ["an image", "registry.example/acme/web:1.2", ["image:registry.example/acme/web:1.2"]],
  [
    "a pull command",
    `docker pull acme/web@sha256:${"a".repeat(64)}`,
    [`image:acme/web@sha256:${"a".repeat(64)}`],
  ],
  [
    "a line of Grype",
    "redis 7.2.4-r1 7.2.5-r0 apk CVE-2026-91338 Critical",
    ["CVE-2026-91338~pkg:apk/redis@7.2.4-r1~fixed:7.2.5-r0"],
  ],
  [
    "Grype",
    `NAME       INSTALLED  FIXED-IN      TYPE          VULNERABILITY   SEVERITY  EPSS  RISK
redis      7.2.4-r1   7.2.5-r0      apk           CVE-2026-91338  Critical  0.1%  0.1
zlib       1.3-r0                   apk           CVE-2026-2      Medium
log4j-core 2.14.1     2.15.0        java-archive  ${GHSA}  High
pad        1.0.0      (won't fix)   npm           CVE-2026-4444   Low`,
    [
      "CVE-2026-91338~pkg:apk/redis@7.2.4-r1~fixed:7.2.5-r0",
      "CVE-2026-2~pkg:apk/zlib@1.3-r0",
      `${GHSA}~pkg:maven/log4j-core@2.14.1~fixed:2.15.0`,
      "CVE-2026-4444~pkg:npm/pad@1.0.0",
    ],
  ],
  [
    "Trivy",
    `
acme/web:1.2 (wolfi 20230201)
=============================
Total: 3 (HIGH: 2, CRITICAL: 1)

┌────────────┬────────────────┬──────────┬────────┬───────────────────┬───────────────┬─────────────────────────────┐
│  Library   │ Vulnerability  │ Severity │ Status │ Installed Version │ Fixed Version │            Title            │
├────────────┼────────────────┼──────────┼────────┼───────────────────┼───────────────┼─────────────────────────────┤
│ libcrypto3 │ CVE-2026-11111 │ HIGH     │ fixed  │ 3.1.4-r0          │ 3.1.4-r1      │ openssl: a title            │
│            │                │          │        │                   │               │ https://avd.aquasec.com/nvd │
│            ├────────────────┤          │        │                   ├───────────────┼─────────────────────────────┤
│            │ CVE-2026-22222 │          │        │                   │ 3.1.4-r3      │ openssl: another            │
├────────────┼────────────────┼──────────┼────────┼───────────────────┼───────────────┼─────────────────────────────┤
│ zlib       │ CVE-2026-33333 │ CRITICAL │        │ 1.3-r0            │               │ zlib                        │
└────────────┴────────────────┴──────────┴────────┴───────────────────┴───────────────┴─────────────────────────────┘`,
    [
      "CVE-2026-11111~libcrypto3@3.1.4-r0~fixed:3.1.4-r1",
      "CVE-2026-22222~libcrypto3@3.1.4-r0~fixed:3.1.4-r3",
      "CVE-2026-33333~zlib@1.3-r0",
    ],
  ],
  [
    "one row of Trivy",
    "│ libcrypto3 │ CVE-2026-11111 │ HIGH     │ fixed  │ 3.1.4-r0          │ 3.1.4-r1      │ openssl: a title            │",
    ["CVE-2026-11111~libcrypto3@3.1.4-r0~fixed:3.1.4-r1"],
  ],
  [
    "Docker Scout",
    `   0C     1H     0M     0L  openssl 3.1.4-r0
pkg:apk/alpine/openssl@3.1.4-r0?os_name=alpine&os_version=3.18

    ✗ HIGH CVE-2026-11111 [Out-of-bounds Write]
      https://scout.docker.com/v/CVE-2026-11111
      Affected range : <3.1.4-r1
      Fixed version  : 3.1.4-r1

    ✗ LOW CVE-2026-22222
`,
    ["CVE-2026-11111~pkg:apk/openssl@3.1.4-r0~fixed:3.1.4-r1", "CVE-2026-22222~pkg:apk/openssl@3.1.4-r0"],
  ],
  [
    "npm audit",
    `# npm audit report

minimist  <0.2.4
Severity: critical
Prototype Pollution in minimist - https://github.com/advisories/${GHSA}
fix available via \`npm audit fix\`
node_modules/minimist

1 critical severity vulnerability`,
    [`${GHSA}~pkg:npm/minimist`],
  ],
  [
    "OSV-Scanner",
    `╭─────────────────────────────────────┬──────┬───────────┬─────────┬─────────┬───────────────────╮
│ OSV URL                             │ CVSS │ ECOSYSTEM │ PACKAGE │ VERSION │ SOURCE            │
├─────────────────────────────────────┼──────┼───────────┼─────────┼─────────┼───────────────────┤
│ https://osv.dev/${GHSA} │ 7.5  │ npm       │ semver  │ 5.7.1   │ package-lock.json │
╰─────────────────────────────────────┴──────┴───────────┴─────────┴─────────┴───────────────────╯`,
    [`${GHSA}~pkg:npm/semver@5.7.1`],
  ],
  [
    "several lines of one's own",
    "CVE-2026-1234\nredis 7.2.4\nacme/web:1",
    ["CVE-2026-1234", "image:acme/web:1", "redis@7.2.4"],
  ],
  ["prose", "Is this about us? See CVE-2026-1234, please.", ["CVE-2026-1234"]],
  ["nothing", "Severity: critical, 3 found in the scan of today", []],
];

const finding = (id: string, name: string, version: string, type: string) => ({ id, name, version, type });
const ONE = finding("CVE-2026-91338", "redis", "7.2.4-r1", "apk");
const FOUND = ["CVE-2026-91338~pkg:apk/redis@7.2.4-r1"];
const WITH_FIX = [`${FOUND[0]}~fixed:7.2.5-r0`];
const DOCUMENTS: readonly (readonly [what: string, document: unknown, found: readonly string[]])[] = [
  [
    "Grype",
    {
      matches: [
        {
          vulnerability: {
            id: ONE.id,
            fix: { versions: ["7.2.5-r0"], state: "fixed" },
            dataSource: "https://nvd.nist.gov/vuln/detail/CVE-2026-91338",
          },
          relatedVulnerabilities: [{ id: "CVE-2020-1111" }],
          artifact: {
            name: "redis",
            version: ONE.version,
            type: "apk",
            purl: "pkg:apk/wolfi/redis@7.2.4-r1",
          },
        },
      ],
    },
    WITH_FIX,
  ],
  [
    "Trivy",
    {
      Results: [
        {
          Target: "web",
          Vulnerabilities: [
            {
              VulnerabilityID: ONE.id,
              PkgName: "redis",
              InstalledVersion: ONE.version,
              FixedVersion: "7.2.5-r0",
              PkgIdentifier: { PURL: "pkg:apk/wolfi/redis@7.2.4-r1?arch=x86_64" },
              PrimaryURL: "https://avd.aquasec.com/nvd/cve-2026-91338",
            },
          ],
        },
      ],
    },
    ["CVE-2026-91338~pkg:apk/redis@7.2.4-r1?arch=x86_64~fixed:7.2.5-r0"],
  ],
  [
    "OSV-Scanner",
    {
      results: [
        {
          packages: [
            {
              package: { name: "redis", version: ONE.version, ecosystem: "Alpine:v3.20" },
              vulnerabilities: [{ id: ONE.id, aliases: ["CVE-2020-1111"] }],
            },
          ],
        },
      ],
    },
    FOUND,
  ],
  [
    "Docker Scout as GitLab's format",
    {
      vulnerabilities: [
        {
          identifiers: [{ type: "cve", value: ONE.id }],
          location: { dependency: { package: { name: "redis" }, version: ONE.version }, image: "web" },
        },
      ],
    },
    ["CVE-2026-91338~redis@7.2.4-r1"],
  ],
  [
    "Docker Scout as SARIF",
    {
      runs: [
        {
          tool: {
            driver: { rules: [{ id: ONE.id, properties: { purls: ["pkg:apk/wolfi/redis@7.2.4-r1"] } }] },
          },
          results: [{ ruleId: ONE.id }],
        },
      ],
    },
    FOUND,
  ],
  [
    "npm audit",
    {
      vulnerabilities: {
        minimist: {
          name: "minimist",
          via: [
            {
              name: "minimist",
              dependency: "minimist",
              url: `https://github.com/advisories/${GHSA}`,
              range: "<0.2.4",
            },
          ],
        },
        mkdirp: { name: "mkdirp", via: ["minimist"] },
      },
    },
    [`${GHSA}~pkg:npm/minimist`],
  ],
  [
    "npm 6",
    {
      advisories: {
        1179: { module_name: "minimist", cves: ["CVE-2020-7598"], url: "", findings: [{ version: "0.0.8" }] },
      },
    },
    ["CVE-2020-7598~pkg:npm/minimist@0.0.8"],
  ],
  ["an OSV record", { id: GHSA, aliases: ["CVE-2026-1234"] }, [GHSA, "CVE-2026-1234"]],
  [
    "a list",
    ["pkg:apk/redis@7.2.4-r1", "CVE-2026-1234", "a word"],
    ["pkg:apk/redis@7.2.4-r1", "CVE-2026-1234"],
  ],
];

describe("what a text asks about", () => {
  it.each(TEXTS)("%s", (_, text, found) => {
    expect(readPastedText(text).map(writeItem).toSorted()).toEqual([...found].toSorted());
  });

  it.each(DOCUMENTS)("JSON of %s", (_, document, found) => {
    const text = JSON.stringify(document, null, 2);
    expect(readPastedText(text).map(writeItem).toSorted()).toEqual([...found].toSorted());
  });

  it("is at most 2,000 things, each once", () => {
    const lines = Array.from({ length: 6_000 }, (_, index) => `CVE-2026-${10_000 + (index % 3_000)}`);
    expect(readPastedText(lines.join("\n"))).toHaveLength(2_000);
  });
});

it("is read again from an address, and from the field, as the same", () => {
  const items = [
    ...TEXTS.flatMap(([, text]) => readPastedText(text)),
    ...DOCUMENTS.flatMap(([, document]) => readPastedText(JSON.stringify(document))),
  ];
  for (const item of items) {
    expect(readItem(writeItem(item))).toEqual(item);
    expect(readPastedText(itemLine(item)).map(writeItem)).toEqual([writeItem(item)]);
  }
  for (const nothing of ["", "image:"]) expect(readItem(nothing)).toBeUndefined();
});
