/**
 * What a package is called: each source names ecosystems and packages in its own way, and they have to meet. One type per
 * ecosystem, which is that of its package URL (https://github.com/package-url/purl-spec) unless TYPES says otherwise, and
 * each ecosystem's own normalization of names.
 */

/** A package, as advisories and images name it. */
export interface PackageName {
  readonly type: string;
  readonly name: string;
  /** The distribution and its release, `Debian:12`; "" if the ecosystem has none. */
  readonly distribution: string;
}

/** OSV ecosystems whose package URLs have another type, in lower case. */
const OF_OSV: Readonly<Record<string, string>> = {
  go: "golang",
  "crates.io": "cargo",
  rubygems: "gem",
  packagist: "composer",
  "github actions": "githubactions",
  conancenter: "conan",
  swifturl: "swift",
  vscode: "vscode-extension",
};

/** Distributions by the format of their packages, in lower case; in OSV their release follows a colon. */
const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = {
  apk: ["alpine", "wolfi", "chainguard", "minimos", "alpaquita", "bellsoft hardened containers"],
  deb: ["debian", "ubuntu", "echo"],
  rpm: [
    "red hat",
    "almalinux",
    "rocky linux",
    "suse",
    "opensuse",
    "fedora",
    "mageia",
    "openeuler",
    "photon os",
    "azure linux",
    "amazon linux",
    "oracle linux",
  ],
};
const FORMAT_OF = new Map(
  Object.entries(DISTRIBUTIONS).flatMap(([format, names]) => names.map((name) => [name, format])),
);

/** Types of package URLs that have had another name here from the start. */
const TYPES: Readonly<Record<string, string>> = {
  pypi: "python",
  golang: "go-module",
  maven: "java-archive",
  cargo: "rust-crate",
  nuget: "dotnet",
  oci: "image",
  docker: "image",
};

/** Types whose namespace says who distributes the package, and is not part of its name. */
const OWNED = new Set(["apk", "deb", "rpm", "oci", "docker"]);

/** As OSV writes the distributions that package URLs name in their namespace. */
const WRITTEN: Readonly<Record<string, string>> = {
  alpine: "Alpine",
  wolfi: "Wolfi",
  chainguard: "Chainguard",
  minimos: "MinimOS",
  debian: "Debian",
  ubuntu: "Ubuntu",
  redhat: "Red Hat",
  almalinux: "AlmaLinux",
  rocky: "Rocky Linux",
  suse: "SUSE",
  opensuse: "openSUSE",
  fedora: "Fedora",
};

const typeOf = (purlType: string): string => TYPES[purlType] ?? purlType;

/** The names of a purl type that are the same package have one spelling. */
function normalize(purlType: string, name: string): string {
  // https://peps.python.org/pep-0503/#normalized-names
  if (purlType === "pypi") return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
  // Names on these hosts and registries ignore case.
  if (["composer", "githubactions", "github", "nuget", "hex", "pub", "bitnami"].includes(purlType))
    return name.toLowerCase();
  return name;
}

/** Of an OSV `package`: `Debian:12`, `theta`. */
export function ofOsv(ecosystem: string, name: string): PackageName {
  const own = (ecosystem.split(":", 1)[0] ?? "").toLowerCase();
  const format = FORMAT_OF.get(own);
  if (format !== undefined) return { type: format, name, distribution: ecosystem };
  const purlType = OF_OSV[own] ?? own.replaceAll(" ", "-");
  return { type: typeOf(purlType), name: normalize(purlType, name), distribution: "" };
}

interface PurlParts {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** Of the parts of a package URL. */
export function ofPurl({ type, namespace, name, qualifiers }: PurlParts): PackageName {
  if (type === "oci" || type === "docker") {
    const { repository_url: repository } = qualifiers;
    const own = type === "docker" && namespace !== "" ? `${namespace}/${name}` : name;
    return { type: typeOf(type), name: repository || own, distribution: "" };
  }
  if (OWNED.has(type))
    return { type, name, distribution: distributionOf(namespace, qualifiers["distro"] ?? "") };
  const separator = type === "maven" ? ":" : "/";
  return {
    type: typeOf(type),
    name: normalize(type, namespace === "" ? name : `${namespace}${separator}${name}`),
    distribution: "",
  };
}

/** `distro=alpine-3.20.1` and `distro=3.20.1` name the release; rolling distributions have none. */
function distributionOf(namespace: string, distro: string): string {
  const written = WRITTEN[namespace.toLowerCase()] ?? namespace;
  // As OSV writes it, which can say more than the usual form: Ubuntu:24.04:LTS.
  if (distro.startsWith(`${written}:`)) return distro;
  const [, version = ""] = /^(?:[a-z]+-)?(\d[\w.]*)$/i.exec(distro) ?? [];
  if (version === "" || written === "Wolfi" || written === "Chainguard") return written;
  const [major = "", minor] = version.split(".");
  if (written === "Alpine") return `Alpine:v${[major, minor ?? "0"].join(".")}`;
  if (written === "Debian") return `Debian:${major}`;
  return `${written}:${version}`;
}

/** Of an Alpine secdb file: the branch, and where its packages are published. */
export function distributionOfSecdb(branch: string, url: string): string {
  if (/wolfi/i.test(url)) return "Wolfi";
  if (/cgr\.dev|chainguard/i.test(url)) return "Chainguard";
  return /^v?\d/.test(branch) || branch === "edge" ? `Alpine:${branch}` : "";
}
