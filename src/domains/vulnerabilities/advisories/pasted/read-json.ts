import { isObject } from "platform-contract/values";

import { idsWithin, isVulnerabilityId } from "./ids-within";
import { withFix, type PastedItem } from "./item";
import { readPurl } from "./purl";
import { purlTypeOf } from "./types";

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const fields = (value: unknown): Fields => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The package that some fields name; a package URL says more than a name. */
function packageOf({ purl, name, version, type }: Fields): PastedItem {
  const named = readPurl(text(purl) ?? "");
  return {
    name: named?.name ?? text(name),
    version: text(version) ?? named?.version,
    type: named?.type ?? purlTypeOf(text(type)),
    architecture: named?.architecture,
    distro: named?.distro,
  };
}

const about = (ids: readonly (string | undefined)[], found: PastedItem): PastedItem[] =>
  ids.flatMap((id) => (id === undefined || id === "" ? [] : [{ id, ...found }]));

/** What one object of a report says, if it is a finding of a scanner; else undefined. */
const SHAPES: readonly ((of: Fields) => PastedItem[] | undefined)[] = [
  // Trivy: Results[].Vulnerabilities[]
  ({
    VulnerabilityID: id,
    PkgName: name,
    InstalledVersion: version,
    FixedVersion: fixed,
    PkgIdentifier: more,
  }) =>
    text(id) && text(name)
      ? about([text(id)], withFix(packageOf({ purl: fields(more)["PURL"], name, version }), text(fixed)))
      : undefined,
  // Grype: matches[]
  ({ vulnerability, artifact }) =>
    text(fields(vulnerability)["id"]) && text(fields(artifact)["name"])
      ? about(
          [text(fields(vulnerability)["id"])],
          withFix(
            packageOf(fields(artifact)),
            text(list(fields(fields(vulnerability)["fix"])["versions"])[0]),
          ),
        )
      : undefined,
  // OSV-Scanner: results[].packages[]
  ({ package: of, vulnerabilities }) =>
    text(fields(of)["name"]) && Array.isArray(vulnerabilities)
      ? about(
          vulnerabilities.map((one) => text(fields(one)["id"])),
          packageOf({ ...fields(of), type: fields(of)["ecosystem"] }),
        )
      : undefined,
  // GitLab's format, which Docker Scout writes: vulnerabilities[]
  ({ identifiers, location }) => {
    const { dependency } = fields(location);
    const { package: of, version } = fields(dependency);
    const ids = list(identifiers).flatMap((one) => text(fields(one)["value"]) ?? []);
    return text(fields(of)["name"]) && ids.length > 0
      ? about(ids.filter(isVulnerabilityId), packageOf({ ...fields(of), version }))
      : undefined;
  },
  // SARIF: runs[].tool.driver.rules[]
  ({ id, properties }) => {
    const purls = list(fields(properties)["purls"]).flatMap((one) => readPurl(text(one) ?? "") ?? []);
    const [own] = idsWithin(text(id) ?? "");
    return own !== undefined && purls.length > 0 ? purls.map((purl) => ({ id: own, ...purl })) : undefined;
  },
  // npm audit: vulnerabilities.<name>.via[]
  ({ url, dependency, range }) =>
    text(url) && text(dependency) && range !== undefined
      ? about(idsWithin(text(url) ?? ""), { name: text(dependency), type: "npm" })
      : undefined,
  // npm 6: advisories.<number>
  ({ module_name: name, findings, url, cves }) =>
    text(name) && Array.isArray(findings)
      ? findings.flatMap((one) => {
          const ids = [...list(cves).flatMap((cve) => text(cve) ?? []), ...idsWithin(text(url) ?? "")].slice(
            0,
            1,
          );
          return about(ids, { name: text(name), version: text(fields(one)["version"]), type: "npm" });
        })
      : undefined,
  // CycloneDX: vulnerabilities[]
  ({ id, affects }) => {
    const purls = list(affects).flatMap((one) => readPurl(text(fields(one)["ref"]) ?? "") ?? []);
    return text(id) && purls.length > 0 ? purls.map((purl) => ({ id: text(id), ...purl })) : undefined;
  },
];

/** Everything below a value, without recursion: a text can be nested deeper than the stack. */
function visit(value: unknown, see: (one: unknown) => boolean): void {
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (!see(one) || typeof one !== "object" || one === null) continue;
    const inner: unknown[] = Array.isArray(one) ? one : Object.values(one);
    for (let index = inner.length - 1; index >= 0; index -= 1) left.push(inner[index]);
  }
}

/** The findings of a scanner's report; of any other JSON, the ids and package URLs that its texts are. */
export function readJson(value: unknown): PastedItem[] {
  const found: PastedItem[] = [];
  visit(value, (one) => {
    if (!isObject(one)) return true;
    const items = SHAPES.flatMap((shape) => shape(one) ?? []);
    found.push(...items);
    return items.length === 0;
  });
  if (found.length > 0) return found;
  visit(value, (one) => {
    if (typeof one !== "string") return true;
    const purl = readPurl(one);
    found.push(...(purl ? [purl] : idsWithin(one).map((id) => ({ id }))));
    return true;
  });
  return found;
}
