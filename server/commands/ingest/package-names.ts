import { trimEndOf } from "platform-contract/trim";

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

/** Ecosystems of languages and tools, in lower case: https://ossf.github.io/osv-schema/#defined-ecosystems */
const LANGUAGES = new Set([
  ...Object.keys(OF_OSV),
  "bioconductor",
  "bitnami",
  "cran",
  "ghc",
  "hackage",
  "hex",
  "julia",
  "kubernetes",
  "maven",
  "npm",
  "nuget",
  "opam",
  "pub",
  "pypi",
]);

/** Distributions by the format of their packages, in lower case; in OSV their release follows a colon. */
const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = {
  apk: ["alpine", "wolfi", "chainguard", "minimos", "alpaquita", "bellsoft hardened containers"],
  deb: ["debian", "ubuntu", "echo"],
  rpm: [
    "red hat",
    "almalinux",
    "rocky linux",
    "centos",
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
  freebsd: ["freebsd"],
};
const FORMAT_OF = new Map(
  Object.entries(DISTRIBUTIONS).flatMap(([format, names]) => names.map((name) => [name, format])),
);

/** Those who publish patched packages of other ecosystems, in lower case. */
const LAYERED = new Set(["root", "seal", "tuxcare", "cleanstart", "docker hardened images"]);

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
  const [own = "", inner = ""] = ecosystem.toLowerCase().split(":", 2);
  // `Root:Alpine:3.18`, `Echo:PyPI`: packages of the inner ecosystem, which hold only where the outer one is used.
  const isLayered = FORMAT_OF.has(inner) || LANGUAGES.has(inner);
  const named = isLayered ? inner : own;
  const format = FORMAT_OF.get(named);
  const purlType = OF_OSV[named] ?? named.replaceAll(" ", "-");
  return {
    type: format ?? typeOf(purlType),
    name: format === undefined ? normalize(purlType, name) : name,
    distribution: isLayered || format !== undefined || LAYERED.has(own) ? ecosystem : "",
  };
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
  const { distro = "" } = qualifiers;
  return {
    type: typeOf(type),
    name: normalize(type, namespace === "" ? name : `${namespace}${separator}${name}`),
    distribution: distro !== "" && ofOsv(distro, name).type === typeOf(type) ? distro : "",
  };
}

/** `distro=alpine-3.20.1` and `distro=3.20.1` name the release; rolling distributions have none. */
function distributionOf(namespace: string, distro: string): string {
  const written = WRITTEN[namespace.toLowerCase()] ?? namespace;
  // As OSV writes it, which can say more than the usual form: Ubuntu:24.04:LTS.
  if (distro.toLowerCase().startsWith(`${written.toLowerCase()}:`)) return distro;
  const suse = /^(sles(?=-\d)|opensuse-leap(?=-\d)|opensuse-tumbleweed)(?:-(\d+)(?:\.(\d+))?)?$/.exec(distro);
  if (suse) return ofSuse(suse);
  const [, version = ""] = /^(?:[a-z]+-)?(\d[\w.]*)$/i.exec(distro) ?? [];
  if (version === "" || written === "Wolfi" || written === "Chainguard") return written;
  const [major = "", minor] = version.split(".");
  if (written === "Alpine") return `Alpine:v${[major, minor ?? "0"].join(".")}`;
  if (written === "Debian") return `Debian:${major}`;
  // Every second year's release of April.
  if (written === "Ubuntu" && /^\d*[02468]\.04$/.test(version)) return `Ubuntu:${version}:LTS`;
  return `${written}:${version}`;
}

/** `cpe:/o:redhat:enterprise_linux:9::baseos`, of which OSV writes what follows the vendor; undefined for other vendors. */
export function ofCpe(cpe: string): string | undefined {
  const [, written = ""] = /^cpe:(?:\/[oa]|2\.3:[oa]):redhat:(.+)$/.exec(cpe) ?? [];
  const product = trimEndOf(written, ":*");
  return product === "" ? undefined : `Red Hat:${product}`;
}

/** `SUSE Linux Enterprise Server 15 SP4`, of a vendor, as OSV writes releases of distributions. */
export function ofProduct(vendor: string, name: string): string {
  const brand = Object.values(WRITTEN).find((written) => name.startsWith(`${written} `));
  return brand === undefined ? `${vendor}:${name}` : `${brand}:${name.slice(brand.length + 1)}`;
}

/** `sles-15.4` and `opensuse-leap-15.6` under the names that the products have in OSV. */
function ofSuse([, product, major = "", minor]: RegExpExecArray): string {
  if (product === "opensuse-tumbleweed") return "openSUSE:Tumbleweed";
  if (product === "opensuse-leap") return `openSUSE:Leap ${major}.${minor ?? "0"}`;
  const pack = minor === undefined || minor === "0" ? "" : ` SP${minor}`;
  return `SUSE:Linux Enterprise Server ${major}${pack}`;
}

/** Of an Alpine secdb file: the branch, and where its packages are published. */
export function distributionOfSecdb(branch: string, url: string): string {
  if (/wolfi/i.test(url)) return "Wolfi";
  if (/cgr\.dev|chainguard/i.test(url)) return "Chainguard";
  return /^v?\d/.test(branch) || branch === "edge" ? `Alpine:${branch}` : "";
}
