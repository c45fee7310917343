import * as z from "zod";

import { isObject } from "platform-contract/values";

import type { PackageDraft } from "../../domains/vulnerabilities/advisory-drafts.table";
import { isApkVersion } from "../../platform/store/versions/apk-version";
import { entriesOf } from "./entries";
import type { Format, Taken } from "./formats";
import { readPurl } from "./purl";

/** Counts what is skipped, by kind and reason: an image has hundreds of packages. */
class Skips {
  readonly #counts = new Map<string, number>();

  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  get lines(): string[] {
    return [...this.#counts].map(([reason, count]) => `${count} × ${reason}`);
  }
}

/** The apk packages among the package URLs of each entry: advisories are only compared with those. */
function packagesOf(entries: readonly (readonly string[])[], skipped: readonly string[]): Taken {
  const skips = new Skips();
  const packages = new Map<string, PackageDraft>();
  for (const purls of entries) {
    if (purls.length === 0) skips.add("an entry without a package URL");
    for (const text of purls) {
      const purl = readPurl(text);
      if (!purl) skips.add("a package URL that cannot be read");
      else if (purl.type !== "apk") skips.add(`a package of type ${purl.type}, not apk`);
      else if (!purl.qualifiers["arch"]) skips.add("an apk package without an architecture");
      else if (!isApkVersion(purl.version)) skips.add("an apk package without a valid version");
      else {
        const { name, version, distribution, qualifiers } = purl;
        const { arch: architecture = "", origin, upstream } = qualifiers;
        const one = { architecture, name, version, origin: origin ?? upstream ?? name, distribution };
        packages.set(`${architecture} ${name}`, one);
      }
    }
  }
  const none =
    packages.size === 0 ? ["no apk packages: this image has none that advisories can be compared with"] : [];
  return { packages: [...packages.values()], skipped: [...none, ...skipped, ...skips.lines] };
}

/** `purl`, or its URI: http://spdx.org/rdf/references/purl */
const IS_PURL = /(?:^|\/)purl$/;

const spdx2 = z.object({ packages: z.array(z.unknown()).nullish() });
const spdx2Package = z.object({
  externalRefs: z.array(z.object({ referenceType: z.string(), referenceLocator: z.string() })).nullish(),
});

export const spdx: Format = {
  name: "SPDX",
  needs: "digest",
  fits: (value) => "spdxVersion" in value || isSpdx3(value),
  read(value) {
    const skipped: string[] = [];
    if (isSpdx3(value)) return readSpdx3(value, skipped);
    const { packages } = spdx2.parse(value);
    const entries = entriesOf(spdx2Package, packages, "SPDX package", skipped).map(({ externalRefs }) =>
      (externalRefs ?? [])
        .filter(({ referenceType }) => IS_PURL.test(referenceType))
        .map(({ referenceLocator }) => referenceLocator),
    );
    return packagesOf(entries, skipped);
  },
};

/** https://spdx.github.io/spdx-spec/v3.0.1/serializations/: JSON-LD, a graph of typed elements, or one of them alone. */
const isSpdx3 = (value: Readonly<Record<string, unknown>>): boolean =>
  String(value["@context"]).includes("spdx.org/rdf/3.");

/** `software_Package`, or its IRI. */
const IS_PACKAGE = /(?:^|\/Software\/|software_)Package$/;

const spdx3Package = z.looseObject({
  software_packageUrl: z.string().nullish(),
  externalIdentifier: z
    .array(
      z.looseObject({ externalIdentifierType: z.string().optional(), identifier: z.string().optional() }),
    )
    .nullish(),
});

function readSpdx3(value: Readonly<Record<string, unknown>>, skipped: string[]): Taken {
  const { "@graph": elements = [value] } = value;
  const graph = [elements].flat().filter((one) => {
    const { type, "@type": typed = type }: Readonly<Record<string, unknown>> = Object(one);
    return [typed].flat().some((name) => IS_PACKAGE.test(String(name)));
  });
  const entries = entriesOf(spdx3Package, graph, "SPDX package", skipped).map(
    ({ software_packageUrl: own, externalIdentifier }) => {
      const others = (externalIdentifier ?? [])
        .filter(({ externalIdentifierType }) => externalIdentifierType === "packageUrl")
        .flatMap(({ identifier }) => identifier ?? []);
      return [...new Set([...(own ? [own] : []), ...others])];
    },
  );
  return packagesOf(entries, skipped);
}

const cycloneDxDocument = z.object({
  components: z.array(z.unknown()).nullish(),
  metadata: z.looseObject({ component: z.unknown().optional() }).nullish(),
  vulnerabilities: z.unknown().optional(),
});
const component = z.looseObject({ purl: z.string().nullish(), components: z.array(z.unknown()).nullish() });

/** All components, those within others too. */
function componentsOf(
  list: readonly unknown[] | null | undefined,
  skipped: string[],
): z.infer<typeof component>[] {
  return entriesOf(component, list, "CycloneDX component", skipped).flatMap((one) => [
    one,
    ...componentsOf(one.components, skipped),
  ]);
}

export const cycloneDx: Format = {
  name: "CycloneDX",
  needs: "digest",
  fits: ({ bomFormat }) => bomFormat === "CycloneDX",
  read(value) {
    const { components, metadata, vulnerabilities } = cycloneDxDocument.parse(value);
    const count = Array.isArray(vulnerabilities) ? vulnerabilities.length : 0;
    // A document of vulnerabilities alone lists no packages, so it must not take those of the image away.
    if (count > 0 && !components?.length && !metadata?.component)
      return { refused: "is CycloneDX without components: its vulnerabilities are not read" };
    const skipped = count > 0 ? [`${count} × a vulnerability: only the packages of CycloneDX are read`] : [];
    // The image itself is no package, what is within it is.
    const [image] = componentsOf([metadata?.component ?? {}], []);
    const all = [...componentsOf(image?.components, skipped), ...componentsOf(components, skipped)];
    // Groups such as the operating system have no package URL of their own.
    const named = all.filter(({ purl, components: within }) => purl || !within?.length);
    return packagesOf(
      named.map(({ purl }) => (purl ? [purl] : [])),
      skipped,
    );
  },
};

const envelope = z.object({ payloadType: z.string(), payload: z.base64() });
const statement = z.object({ _type: z.string(), predicate: z.record(z.string(), z.unknown()) });

/**
 * An SBOM within an in-toto statement (https://in-toto.io/Statement), itself within a DSSE envelope or not. Signatures
 * are not verified.
 */
export const attestation: Format = {
  name: "in-toto",
  needs: "digest",
  fits: (value) =>
    "payloadType" in value || String(value["_type"]).startsWith("https://in-toto.io/Statement/"),
  read(value) {
    if ("payloadType" in value) {
      const { payloadType, payload } = envelope.parse(value);
      if (payloadType !== "application/vnd.in-toto+json")
        return { refused: `is a DSSE envelope of ${payloadType}` };
      const within = parsed(payload);
      return within ? attestation.read(within) : { refused: "is a DSSE envelope whose payload is not JSON" };
    }
    const { predicate } = statement.parse(value);
    const format = [spdx, cycloneDx].find(({ fits }) => fits(predicate));
    return format
      ? format.read(predicate)
      : { refused: "is an in-toto statement without an SPDX or CycloneDX document" };
  },
};

function parsed(base64: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64, "base64").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
