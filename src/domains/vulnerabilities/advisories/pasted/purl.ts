import type { PastedItem } from "./item";

/** A text that is written for an address; as it stands, if it isn't. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Types whose namespace is a part of the name, and what stands between them. */
const JOINED: Readonly<Record<string, string>> = {
  npm: "/",
  golang: "/",
  composer: "/",
  github: "/",
  swift: "/",
  maven: ":",
};

/**
 * Reads a package URL (https://github.com/package-url/purl-spec): the name as advisories have it, without the
 * distribution that the namespace of an apk, deb or rpm package names; undefined if the text is none.
 */
export function readPurl(
  text: string,
): Pick<PastedItem, "type" | "name" | "version" | "architecture" | "distro"> | undefined {
  if (!/^pkg:/i.test(text)) return undefined;
  const [path = ""] = text.slice("pkg:".length).split(/[?#]/, 1);
  const steps = path.split("/").filter(Boolean);
  const [kind, ...rest] = steps;
  const last = rest.pop();
  if (kind === undefined || last === undefined) return undefined;
  const at = last.lastIndexOf("@");
  const name = decode(at > 0 ? last.slice(0, at) : last);
  const version = at > 0 ? decode(last.slice(at + 1)) : "";
  const type = kind.toLowerCase();
  const between = JOINED[type];
  const whole =
    between === undefined || rest.length === 0
      ? name
      : `${rest.map(decode).join(type === "maven" ? "." : "/")}${between}${name}`;
  if (whole === "") return undefined;
  const [, query = ""] = (text.split("#", 1)[0] ?? "").split("?");
  const qualifiers = new URLSearchParams(query);
  const [architecture, distro] = [qualifiers.get("arch"), qualifiers.get("distro")];
  return {
    type,
    name: whole,
    ...(version && { version }),
    ...(architecture && { architecture: ARCHITECTURES[architecture] ?? architecture }),
    ...(distro && { distro }),
  };
}
/** As packages name architectures, by what images call them. */
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: "x86_64", arm64: "aarch64" };

/** The package URL of a package, with the qualifiers that `readPurl` reads. */
export function writePurl({ type, name, version, architecture, distro }: PastedItem): string {
  const between = JOINED[type ?? ""];
  const path = (between === undefined ? [name ?? ""] : (name ?? "").split(between)).map((step) =>
    encodeURIComponent(step).replaceAll("%3A", ":"),
  );
  const query = Object.entries({ arch: architecture, distro })
    .flatMap(([key, value]) => (value === undefined ? [] : `${key}=${encodeURIComponent(value)}`))
    .join("&");
  return `pkg:${type}/${path.join("/")}${version === undefined ? "" : `@${encodeURIComponent(version).replaceAll("%3A", ":")}`}${query && `?${query}`}`;
}
