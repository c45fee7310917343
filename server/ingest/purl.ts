import { PackageURL } from "packageurl-js";

import { ofPurl, type PackageName } from "./package-names";

export interface Purl extends PackageName {
  /** As in the package URL: who distributes it, or the first part of its name. */
  readonly namespace: string;
  readonly version: string;
  readonly qualifiers: Readonly<Record<string, string>>;
}

/** Undefined if the text is not a package URL. */
export function readPurl(text: string): Purl | undefined {
  try {
    const { type, namespace, name, version, qualifiers } = PackageURL.fromString(text);
    const parts = {
      type,
      namespace: namespace ?? "",
      name,
      qualifiers: { ...qualifiers } as Record<string, string>,
    };
    return {
      ...ofPurl(parts),
      namespace: parts.namespace,
      version: version ?? "",
      qualifiers: parts.qualifiers,
    };
  } catch {
    return undefined;
  }
}
