import { PackageURL } from "packageurl-js";

import { ofPurl, type PackageName } from "./package-names";

export interface Purl extends PackageName {
  /** As in the package URL: who distributes it, or the first part of its name. */
  readonly namespace: string;
  readonly version: string;
  /** Where within an artifact it is: the subpath, `/usr/bin/app`; "" if unknown. */
  readonly location: string;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** A jar whose group is unknown has no namespace, which the type demands. */
const JAR = /^pkg:maven\/(?=[^/@?#]+(?:[@?#]|$))/;

function parse(text: string): PackageURL {
  if (!JAR.test(text)) return PackageURL.fromString(text);
  const jar = PackageURL.fromString(text.replace(JAR, "pkg:generic/"));
  jar.type = "maven";
  return jar;
}

/** Undefined if the text is not a package URL. */
export function readPurl(text: string): Purl | undefined {
  try {
    const { type, namespace, name, version, qualifiers, subpath } = parse(text);
    const parts = {
      type,
      namespace: namespace ?? "",
      name,
      qualifiers: { ...qualifiers },
    };
    return {
      ...ofPurl(parts),
      namespace: parts.namespace,
      version: version ?? "",
      location: subpath ? `/${subpath}` : "",
      qualifiers: parts.qualifiers,
    };
  } catch {
    return undefined;
  }
}
