import { expect, test } from "vitest";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { csafFile, openVexFile } from "./vex-files";

const SOURCE = {
  author: "Meridian Freight",
  id: "00000000-0000-4000-8000-000000000000",
  namespace: "https://platform.example",
  now: new Date("2026-11-23T00:00:00Z"),
};
const advisory = (name: string, said: object, more: Partial<Advisory> = {}): Advisory => ({
  uid: `org/${name}`,
  advisoryId: `ADV-${name}`,
  artifactName: name,
  artifactType: "apk",
  componentName: name,
  componentType: "apk",
  aliases: ["CVE-2026-70001"],
  events: [{ uid: "1", createTime: "2026-01-01T00:00:00Z", reviewState: "REVIEW_STATE_APPROVED", ...said }],
  ...more,
});
const ADVISORIES = [
  advisory("curl", { truePositiveDetermination: {} }),
  advisory("git", { detection: { manual: {} } }),
  advisory("zlib", { fixed: { fixedVersion: "2" } }, { aliases: ["CVE-2026-70001", "GHSA-2222-3333-4444"] }),
  advisory("xz", { falsePositiveDetermination: { type: "TYPE_INLINE_MITIGATIONS_EXIST" } }),
  advisory("vim", { falsePositiveDetermination: {} }),
  advisory("own", { truePositiveDetermination: {} }, { aliases: [] }),
  advisory(
    "shop",
    { truePositiveDetermination: {} },
    { artifactType: "image", appliesTo: `sha256:${"a".repeat(64)}`, componentName: "xz" },
  ),
];

type Json = any;
const text = expect.stringMatching(/./);
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/);

/** The fields that are mandatory in CSAF 2.0, section 3, and in the profile VEX, section 4.5; the tests of section 6.1. */
test("a CSAF file has what the standard demands", () => {
  const { document, product_tree: tree, vulnerabilities } = JSON.parse(csafFile(ADVISORIES, SOURCE)) as Json;
  expect(document).toMatchObject({
    category: "csaf_vex",
    csaf_version: "2.0",
    title: text,
    publisher: { category: "vendor", name: text, namespace: expect.stringMatching(/^https?:/) },
    tracking: {
      id: text,
      status: "final",
      version: "1",
      initial_release_date: time,
      current_release_date: time,
      revision_history: [{ date: time, number: "1", summary: text }],
    },
  });

  const defined: string[] = [];
  for (const product of [
    ...tree.full_product_names,
    ...tree.relationships.map((one: Json) => one.full_product_name),
  ]) {
    expect(product).toMatchObject({ name: text, product_id: text });
    defined.push(product.product_id);
  }
  expect(new Set(defined).size).toBe(defined.length);
  for (const one of tree.relationships) {
    expect(one.category).toBe("default_component_of");
    expect(defined).toContain(one.product_reference);
    expect(defined).toContain(one.relates_to_product_reference);
  }

  const cves = vulnerabilities.flatMap(({ cve }: Json) => cve ?? []);
  expect(cves).toEqual(["CVE-2026-70001"]);
  for (const {
    cve,
    ids = [],
    notes,
    product_status: status,
    flags = [],
    threats = [],
    remediations = [],
  } of vulnerabilities) {
    expect(cve ?? ids[0]?.text).toMatch(/./);
    for (const id of ids) expect(id).toEqual({ system_name: text, text });
    expect(notes).toEqual([{ category: "description", text }]);
    const listed = Object.values(status).flat() as string[];
    expect(listed.length).toBeGreaterThan(0);
    // Each product once: no status contradicts another.
    expect(new Set(listed).size).toBe(listed.length);
    for (const id of listed) expect(defined).toContain(id);
    const productsOf = (entries: Json[]) => entries.flatMap((entry) => entry.product_ids);
    for (const id of status.known_affected ?? []) expect(productsOf(remediations)).toContain(id);
    for (const id of status.known_not_affected ?? [])
      expect(productsOf([...flags, ...threats])).toContain(id);
    for (const flag of flags)
      expect(flag).toMatchObject({ label: "inline_mitigations_already_exist", date: time });
    for (const threat of threats) expect(threat).toMatchObject({ category: "impact", details: text });
    for (const one of remediations) expect(one).toMatchObject({ category: "none_available", details: text });
  }
});

/** https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md, the fields marked as required. */
test("an OpenVEX file has what the specification demands", () => {
  const file = JSON.parse(openVexFile(ADVISORIES, SOURCE)) as Json;
  expect(file).toMatchObject({
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": expect.stringMatching(/^urn:uuid:/),
    author: text,
    timestamp: time,
    version: 1,
  });
  expect(file.statements).toHaveLength(ADVISORIES.length);
  for (const {
    vulnerability,
    products,
    status,
    justification,
    impact_statement,
    action_statement,
  } of file.statements) {
    expect(vulnerability.name).toMatch(/./);
    expect(products.length).toBeGreaterThan(0);
    for (const product of products) expect(product["@id"]).toMatch(/^pkg:/);
    expect(["not_affected", "affected", "fixed", "under_investigation"]).toContain(status);
    if (status === "not_affected") expect(justification ?? impact_statement).toMatch(/./);
    if (status === "affected") expect(action_statement).toMatch(/./);
  }
});
