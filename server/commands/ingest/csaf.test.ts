import { expect, test } from "vitest";

import { GROUP } from "../../testing/ingesting";
import { readWhole } from "./ingest";
import { readVersionRange } from "./version-sets";

type Lists = Readonly<Record<string, readonly string[]>>;
const branch = (category: string, name: string, id: string, purl: string) => ({
  category,
  name,
  product: { product_id: id, name, product_identification_helper: { purl } },
});
const stream = (name: string, id: string, cpe?: string) => ({
  category: "product_name",
  name,
  product: { product_id: id, name, ...(cpe && { product_identification_helper: { cpe } }) },
});
const part = (id: string, component: string, within: string) => ({
  category: "default_component_of",
  product_reference: component,
  relates_to_product_reference: within,
  full_product_name: { product_id: id, name: id },
});

/** What is read of a document about one vulnerability: a line for each advisory, and what is left out. */
async function read(branches: readonly object[], relationships: readonly object[], product_status: Lists) {
  const document = {
    document: {
      csaf_version: "2.0",
      publisher: { name: "Publisher" },
      tracking: { id: "EX-1", current_release_date: "2026-10-02T00:00:00Z" },
    },
    product_tree: { branches: [{ category: "vendor", name: "Example", branches }], relationships },
    vulnerabilities: [{ cve: "CVE-2026-1", product_status }],
  };
  const target = { group: GROUP, digest: undefined };
  const { advisories, outcome } = await readWhole(Buffer.from(JSON.stringify(document)), target);
  const lines = advisories.map(({ artifactName, appliesTo, events: [event] }) =>
    [artifactName, appliesTo, event?.type, event?.data["fixedVersion"], event?.ranges, event?.versions]
      .map((one) => (typeof one === "object" ? JSON.stringify(one) : one))
      .filter(Boolean)
      .join(" | "),
  );
  return { lines: lines.toSorted(), skipped: outcome.skipped };
}

const RANGE = branch("product_version_range", "vers:npm/<4.3.1", "old", "pkg:npm/zeta");
const FIXED = branch("product_version", "4.3.1", "new", "pkg:npm/zeta@4.3.1");

test.each<[string, readonly object[], Lists, readonly string[]]>([
  [
    "a range and its fix",
    [RANGE, FIXED],
    { known_affected: ["old"], fixed: ["new"] },
    ['zeta | fixed | 4.3.1 | [{"fixed":"4.3.1"}]'],
  ],
  [
    "a range without a fix",
    [RANGE],
    { known_affected: ["old"] },
    ['zeta | truePositiveDetermination | [{"limit":"4.3.1"}]'],
  ],
  [
    "a range that cannot be read",
    [branch("product_version_range", "4.x before May", "odd", "pkg:npm/zeta")],
    { known_affected: ["odd"] },
    ['zeta | truePositiveDetermination | ["4.x before May (as written)"]'],
  ],
  ["not affected in a range", [RANGE], { known_not_affected: ["old"] }, ["zeta | detection"]],
  [
    "not affected in all versions",
    [branch("product_version_range", "vers:npm/*", "any", "pkg:npm/zeta")],
    { known_not_affected: ["any"] },
    ["zeta | falsePositiveDetermination"],
  ],
  [
    "not affected in the version that a branch is called after",
    [branch("product_version", "4.3.1", "new", "pkg:npm/zeta")],
    { known_not_affected: ["new"] },
    ["zeta | 4.3.1 | falsePositiveDetermination"],
  ],
  [
    "first and last affected",
    [
      branch("product_version", "2.0", "a", "pkg:npm/zeta@2.0"),
      branch("product_version", "2.9", "b", "pkg:npm/zeta@2.9"),
      branch("product_version", "3.0", "c", "pkg:npm/zeta@3.0"),
    ],
    { first_affected: ["a"], last_affected: ["b"], first_fixed: ["c"] },
    ['zeta | fixed | 3.0 | [{"introduced":"2.0","fixed":"3.0"}]'],
  ],
  [
    "all versions before the fix",
    [branch("product_name", "zeta", "all", "pkg:npm/zeta"), FIXED],
    { fixed: ["new"], known_affected: ["all"] },
    ['zeta | fixed | 4.3.1 | [{"fixed":"4.3.1"}]'],
  ],
  [
    "one product in two lists",
    [branch("product_name", "zeta", "all", "pkg:npm/zeta")],
    { known_not_affected: ["all"], known_affected: ["all"] },
    ["zeta | truePositiveDetermination"],
  ],
  [
    "under investigation in some versions",
    [RANGE, branch("product_version_range", "vers:npm/>=5", "next", "pkg:npm/zeta")],
    { known_affected: ["old"], under_investigation: ["next"] },
    ['zeta | truePositiveDetermination | [{"limit":"4.3.1"}] | ["some versions (under investigation)"]'],
  ],
])("%s", async (_name, branches, lists, lines) => {
  expect((await read(branches, [], lists)).lines).toEqual(lines);
  const reversed = Object.fromEntries(Object.entries(lists).toReversed());
  expect((await read(branches.toReversed(), [], reversed)).lines).toEqual(lines);
});

test("a component is in each of its streams, by the CPE, the product's name, or vendor and name", async () => {
  const streams = [
    stream("Red Hat Enterprise Linux AppStream (v. 8)", "R8", "cpe:/a:redhat:enterprise_linux:8::appstream"),
    stream("SUSE Linux Enterprise Server 15 SP4", "S15"),
    stream("openSUSE Leap 15.6", "L15"),
    stream("Server 2.0", "X2"),
    branch("product_version", "nodejs:18", "module", "pkg:rpmmod/redhat/nodejs@18"),
    branch("product_version", "eta", "eta", "pkg:rpm/redhat/eta?arch=x86_64"),
  ];
  const { lines } = await read(
    streams,
    [
      part("R8:module", "module", "R8"),
      part("R8:module:eta", "eta", "R8:module"),
      ...["R8", "S15", "L15", "X2"].map((id) => part(`${id}:eta`, "eta", id)),
    ],
    { known_affected: ["R8:eta", "S15:eta"], known_not_affected: ["R8:module:eta", "L15:eta", "X2:eta"] },
  );
  expect(lines).toEqual([
    "eta | Example:Server 2.0 | falsePositiveDetermination",
    "eta | Red Hat:enterprise_linux:8::appstream (nodejs:18) | falsePositiveDetermination",
    "eta | Red Hat:enterprise_linux:8::appstream | truePositiveDetermination",
    "eta | SUSE:Linux Enterprise Server 15 SP4 | truePositiveDetermination",
    "eta | openSUSE:Leap 15.6 | falsePositiveDetermination",
  ]);
});

test.each<readonly [string, object]>([
  ["vers:npm/*", { kind: "all" }],
  ["All versions", { kind: "all" }],
  ["All versions < V2.1", { kind: "some", ranges: [{ limit: "V2.1" }], versions: [] }],
  [">= 1.0, < 2.0", { kind: "some", ranges: [{ introduced: "1.0", limit: "2.0" }], versions: [] }],
  ["<=3.1", { kind: "some", ranges: [{ lastAffected: "3.1" }], versions: [] }],
  [
    "vers:deb/>=1.0|<1.2|1.5|>=2.0|<=2%3A3",
    {
      kind: "some",
      ranges: [
        { introduced: "1.0", limit: "1.2" },
        { introduced: "2.0", lastAffected: "2:3" },
      ],
      versions: ["1.5"],
    },
  ],
  ...[
    "vers:npm/>=1|!=1.5|<2",
    "vers:npm/<1|<2",
    "vers:npm/",
    "vers:npm/%zz",
    "4.x",
    "<1 <2",
    "from 1 to 2",
  ].map((text): [string, object] => [text, { kind: "unread", text }]),
])("reads %j", (text, set) => {
  expect(readVersionRange(text)).toEqual(set);
});
