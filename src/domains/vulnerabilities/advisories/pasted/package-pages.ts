import { parseUrl } from "platform-contract/url";

import type { PastedItem } from "./item";
import { decode } from "./purl";

/** Where the address of a package's page has its name and version. */
interface Site {
  readonly type: string;
  readonly read: (
    steps: readonly string[],
  ) => readonly [name?: string | undefined, version?: string | undefined];
}

const scoped = (steps: readonly string[]): readonly [string, readonly string[]] =>
  steps[0]?.startsWith("@")
    ? [steps.slice(0, 2).join("/"), steps.slice(2)]
    : [steps[0] ?? "", steps.slice(1)];

const SITES: Readonly<Record<string, Site>> = {
  "npmjs.com": {
    type: "npm",
    read([, ...steps]) {
      const [name, [, version]] = scoped(steps);
      return [name, version];
    },
  },
  "pypi.org": { type: "pypi", read: ([, name, version]) => [name, version] },
  "crates.io": { type: "cargo", read: ([, name, version]) => [name, version] },
  "rubygems.org": { type: "gem", read: ([, name, , version]) => [name, version] },
  "nuget.org": { type: "nuget", read: ([, name, version]) => [name, version] },
  "mvnrepository.com": { type: "maven", read: ([, group, name, version]) => [`${group}:${name}`, version] },
  "central.sonatype.com": {
    type: "maven",
    read: ([, group, name, version]) => [`${group}:${name}`, version],
  },
  "pkg.go.dev": {
    type: "golang",
    read(steps) {
      const [name, version] = steps.join("/").split("@");
      return [name, version?.split("/")[0]];
    },
  },
  "pkgs.alpinelinux.org": { type: "apk", read: (steps) => [steps.at(-1)] },
  "packages.debian.org": { type: "deb", read: (steps) => [steps.at(-1)] },
  "tracker.debian.org": { type: "deb", read: (steps) => [steps.at(-1)] },
  "packages.ubuntu.com": { type: "deb", read: (steps) => [steps.at(-1)] },
};

/** The package whose page an address is; undefined for other addresses. */
export function readPackagePage(address: string): PastedItem | undefined {
  // Asked of each word of a report: what is no address costs little to refuse.
  const url = /^https?:/i.test(address) ? parseUrl(address) : undefined;
  if (!url) return undefined;
  const { hostname, pathname } = url;
  const site = SITES[hostname.replace(/^www\./, "")];
  const steps = pathname.split("/").filter(Boolean);
  if (!site || steps.length === 0) return undefined;
  const [name, version] = site.read(steps.map(decode));
  return name ? { type: site.type, name, ...(version && { version }) } : undefined;
}
