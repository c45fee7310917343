import { expect, test } from "vitest";

import { DIGEST } from "../../testing/ingesting";
import { BadInput } from "./json-values";
import { readWhole } from "./ingest";

const purl = (name: string): string => `pkg:apk/wolfi/${name}@1.2.3-r0?arch=x86_64`;

async function read(document: unknown) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const { packages, outcome } = await readWhole(Buffer.from(text), { group: undefined, digest: DIGEST });
  return { names: packages.map(({ name }) => name), skipped: outcome.skipped };
}
const refusal = (document: unknown): Promise<unknown> =>
  read(document).then(
    () => "read",
    (error: unknown) => (error instanceof BadInput ? error.message : error),
  );

const reference = (referenceType: string, locator: string) => ({
  referenceCategory: "PACKAGE-MANAGER",
  referenceType,
  referenceLocator: locator,
});
const SPDX2 = { SPDXID: "SPDXRef-DOCUMENT", dataLicense: "CC0-1.0", name: "image" };
const CONTEXT = "https://spdx.org/rdf/3.0.1/spdx-context.jsonld";
const CREATION = {
  type: "CreationInfo",
  "@id": "_:creation",
  specVersion: "3.0.1",
  created: "2026-01-01T00:00:00Z",
};
const CDX = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1 };

/** The shapes that the specifications show: https://spdx.github.io/spdx-spec/, https://cyclonedx.org/docs/1.7/json/ */
test.each<[string, object, string[]]>([
  [
    "SPDX 2.3",
    { ...SPDX2, spdxVersion: "SPDX-2.3", packages: [{ externalRefs: [reference("purl", purl("one"))] }] },
    ["one"],
  ],
  [
    "SPDX 2.2 with the other spelling of the category",
    {
      ...SPDX2,
      spdxVersion: "SPDX-2.2",
      packages: [
        { externalRefs: [{ ...reference("purl", purl("one")), referenceCategory: "PACKAGE_MANAGER" }] },
      ],
    },
    ["one"],
  ],
  [
    "SPDX 2.3 with the type as a URI",
    {
      ...SPDX2,
      spdxVersion: "SPDX-2.3",
      packages: [{ externalRefs: [reference("http://spdx.org/rdf/references/purl", purl("one"))] }],
    },
    ["one"],
  ],
  [
    "SPDX 2.3 with a CPE beside",
    {
      ...SPDX2,
      spdxVersion: "SPDX-2.3",
      packages: [
        {
          externalRefs: [
            reference("cpe23Type", "cpe:2.3:a:x:one:*:*:*:*:*:*:*:*"),
            reference("purl", purl("one")),
          ],
        },
        { name: "two" },
      ],
      files: [{ fileName: "/bin/one" }],
      relationships: [],
    },
    ["one"],
  ],
  [
    "SPDX 3, a graph",
    {
      "@context": CONTEXT,
      "@graph": [CREATION, { type: "software_Package", spdxId: "urn:1", software_packageUrl: purl("one") }],
    },
    ["one"],
  ],
  [
    "SPDX 3, an identifier",
    {
      "@context": CONTEXT,
      "@graph": [
        {
          type: "software_Package",
          externalIdentifier: [
            { type: "ExternalIdentifier", externalIdentifierType: "packageUrl", identifier: purl("one") },
          ],
        },
      ],
    },
    ["one"],
  ],
  [
    "SPDX 3, types as IRIs",
    {
      "@context": [CONTEXT],
      "@graph": [
        { "@type": "https://spdx.org/rdf/3.0.1/terms/Software/Package", software_packageUrl: purl("one") },
        { "@type": "https://spdx.org/rdf/3.0.1/terms/Software/File" },
      ],
    },
    ["one"],
  ],
  [
    "SPDX 3, one element without a graph",
    { "@context": CONTEXT, type: "software_Package", software_packageUrl: purl("one") },
    ["one"],
  ],
  ["CycloneDX", { ...CDX, components: [{ type: "library", name: "one", purl: purl("one") }] }, ["one"]],
  [
    "CycloneDX, within others",
    {
      ...CDX,
      components: [
        {
          type: "operating-system",
          name: "wolfi",
          components: [{ purl: purl("one"), components: [{ purl: purl("two") }] }],
        },
      ],
    },
    ["one", "two"],
  ],
  [
    "CycloneDX, within the image",
    {
      ...CDX,
      metadata: {
        component: {
          type: "container",
          name: "image",
          purl: "pkg:oci/image",
          components: [{ purl: purl("one") }],
        },
      },
    },
    ["one"],
  ],
  [
    "CycloneDX, the tools are not in the image",
    {
      ...CDX,
      metadata: {
        tools: { components: [{ purl: purl("syft") }] },
        component: { type: "container", name: "image" },
      },
      components: [{ purl: purl("one"), pedigree: { ancestors: [{ purl: purl("ancestor") }] } }],
      services: [{ name: "s" }],
      dependencies: [{ ref: "a" }],
      compositions: [],
      formulation: [{ components: [{ purl: purl("builder") }] }],
    },
    ["one"],
  ],
  [
    "CycloneDX with vulnerabilities",
    { ...CDX, components: [{ purl: purl("one") }], vulnerabilities: [{ id: "CVE-2026-1" }] },
    ["one"],
  ],
])("%s", async (_name, document, names) => {
  expect((await read(document)).names).toEqual(names);
});

test("what is left out is said", async () => {
  const { skipped } = await read({
    ...CDX,
    components: [{ purl: purl("one") }],
    vulnerabilities: [{ id: "CVE-2026-1" }],
  });
  expect(skipped).toEqual(["line 1: 1 × a vulnerability: only the packages of CycloneDX are read"]);
});

test.each<[string, unknown, RegExp]>([
  [
    "CycloneDX of vulnerabilities alone",
    { ...CDX, vulnerabilities: [{ id: "CVE-2026-1" }] },
    /without components/,
  ],
  [
    "CycloneDX as XML",
    '<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>',
    /is XML, which is not supported/,
  ],
  [
    "SPDX as tag and value",
    "SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n",
    /is not JSON: it begins with "S"/,
  ],
  ["a compressed file", "\u001F\u008B", /is compressed: unpack it first/],
  ["components that are no list", { ...CDX, components: {} }, /is not valid CycloneDX: components/],
  [
    "packages that are no list",
    { ...SPDX2, spdxVersion: "SPDX-2.3", packages: {} },
    /is not valid SPDX: packages/,
  ],
])("%s is refused", async (_name, document, why) => {
  expect(await refusal(document)).toMatch(why);
});
