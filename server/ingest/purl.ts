import { PackageURL } from "packageurl-js";

export interface Purl {
  readonly type: string;
  readonly namespace: string;
  /** As written in its ecosystem: includes the namespace if that is part of the name. */
  readonly name: string;
  readonly version: string;
  readonly qualifiers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  pypi: "python",
  golang: "go-module",
  maven: "java-archive",
  cargo: "rust-crate",
  nuget: "dotnet",
  oci: "image",
  docker: "image",
};

/** Types whose namespace names the owner and is not part of the name. */
const OWNED = new Set(["apk", "deb", "rpm", "oci", "docker"]);

/** Undefined if the text is not a package URL. */
export function readPurl(text: string): Purl | undefined {
  try {
    const { type, namespace, name, version, qualifiers } = PackageURL.fromString(text);
    const separator = type === "maven" ? ":" : "/";
    const owned = OWNED.has(type) || !namespace;
    return {
      type: TYPES[type] ?? type,
      namespace: OWNED.has(type) ? (namespace ?? "") : "",
      name: owned ? name : `${namespace}${separator}${name}`,
      version: version ?? "",
      qualifiers: { ...qualifiers } as Record<string, string>,
    };
  } catch {
    return undefined;
  }
}
