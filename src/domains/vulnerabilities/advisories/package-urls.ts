import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { placeOf } from "platform-contract/vulnerabilities/places";

/** Types of packages whose package URLs have another (https://github.com/package-url/purl-spec). */
const PURL_TYPES: Readonly<Record<string, string>> = {
  python: "pypi",
  "go-module": "golang",
  "java-archive": "maven",
  "rust-crate": "cargo",
  dotnet: "nuget",
  image: "docker",
};

/** Types whose namespace names the distribution. */
const DISTRIBUTED = new Set(["apk", "deb", "rpm"]);

/** As package URLs write distributions. */
const NAMESPACES: Readonly<Record<string, string>> = {
  "Red Hat": "redhat",
  "Rocky Linux": "rocky",
  Alpine: "alpine",
  Wolfi: "wolfi",
  Chainguard: "chainguard",
  MinimOS: "minimos",
  Debian: "debian",
  Ubuntu: "ubuntu",
  AlmaLinux: "almalinux",
  SUSE: "suse",
  openSUSE: "opensuse",
  Fedora: "fedora",
};

const encode = (text: string): string => encodeURIComponent(text).replaceAll("%3A", ":");

interface Parts {
  readonly type: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly architecture?: string | undefined;
  readonly distribution?: string | undefined;
  readonly location?: string | undefined;
}

export function purlOf({
  type,
  name,
  version = "",
  architecture,
  distribution = "",
  location,
}: Parts): string {
  const purlType = PURL_TYPES[type] ?? type;
  const [written = ""] = distribution.split(":", 1);
  const qualifiers = new Map<string, string>();
  let path = name.split("/");
  if (DISTRIBUTED.has(purlType)) path = [...(written === "" ? [] : [NAMESPACES[written] ?? written]), name];
  if (purlType === "maven") path = name.split(":");
  if (purlType === "docker") {
    path = path.slice(-1);
    qualifiers.set("repository_url", name);
  }
  if (architecture) qualifiers.set("arch", architecture);
  if (distribution.includes(":")) qualifiers.set("distro", distroOf(distribution));
  const query = [...qualifiers]
    .toSorted(by(([key]) => key))
    .map(([key, value]) => `${key}=${encode(value).replaceAll("%2F", "/")}`)
    .join("&");
  const subpath = location?.replace(/^\//, "").split("/").map(encode).join("/");
  return [
    `pkg:${purlType}/${path.map(encode).join("/")}`,
    version && `@${encode(version)}`,
    query && `?${query}`,
    subpath && `#${subpath}`,
  ].join("");
}

/** `alpine-3.20`; a release that is more than a number stays as it is. */
function distroOf(distribution: string): string {
  const [, name = "", release] = /^(Alpine|Debian):v?(\d[\d.]*)$/.exec(distribution) ?? [];
  return release === undefined ? distribution : `${name.toLowerCase()}-${release}`;
}

export interface Product {
  /** The artifact, at the version that a statement is about. */
  readonly artifact: string;
  /** The component within it; undefined if it is the artifact itself. */
  readonly component: string | undefined;
}

/** The products of an advisory as package URLs: one for each of these versions, or the one it is limited to. */
export function productsOf(advisory: Advisory, versions: readonly string[]): Product[] {
  const {
    artifactName: name = "",
    artifactType: type = "",
    artifactArchitecture: architecture = "",
  } = advisory;
  const {
    componentName = name,
    componentType = type,
    componentLocation: location,
    appliesTo = "",
  } = advisory;
  // An advisory about an image is limited to a tag or digest, never to a release of a distribution.
  const { distribution, version } =
    type === "image" ? { distribution: "", version: appliesTo } : placeOf(appliesTo);
  const isWhole = componentName === name && componentType === type && !location;
  const ofPackage = type === "image";
  return (versions.length > 0 ? versions : [""]).map((one) => ({
    artifact: purlOf({
      type,
      name,
      architecture,
      distribution,
      version: ofPackage ? version : one || version,
    }),
    component: isWhole
      ? undefined
      : purlOf({ type: componentType, name: componentName, location, version: ofPackage ? one : "" }),
  }));
}
