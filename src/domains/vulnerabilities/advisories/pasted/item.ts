import { isVulnerabilityId } from "./ids-within";
import { readPurl, writePurl } from "./purl";

/** Something to ask about: a vulnerability, a package, both, an image, or a word that can be an id or a package. */
export interface PastedItem {
  /** CVE-2026-91338 */
  readonly id?: string | undefined;
  /** A package, as advisories name artifacts. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Its type in package URLs: "apk", "pypi"; undefined if unknown. */
  readonly type?: string | undefined;
  /** Which build of it, as its package URL qualifies it: `x86_64`, `alpine-3.20`. */
  readonly architecture?: string | undefined;
  readonly distro?: string | undefined;
  /** The version that a scanner says fixes it. */
  readonly fixed?: string | undefined;
  /** `acme/web:1.2` */
  readonly image?: string | undefined;
  readonly word?: string | undefined;
}

const BETWEEN = "~";
/** Before the version that a scanner says fixes it. */
const FIXED = "~fixed:";
const IMAGE = "image:";

/**
 * An item as a word of an address: `CVE-2026-1~pkg:apk/redis@7.2.4-r1~fixed:7.2.5-r0`, `redis@7.2.4-r1`,
 * `image:acme/web:1.2`.
 */
export function writeItem(item: PastedItem): string {
  const { id, name, version, type, fixed, image, word } = item;
  if (image !== undefined) return IMAGE + image;
  if (word !== undefined) return word;
  const versioned = version === undefined ? (name ?? "") : `${name ?? ""}@${version}`;
  const named = name === undefined ? "" : type === undefined ? versioned : writePurl({ ...item, type, name });
  return [id, named].filter(Boolean).join(BETWEEN) + (fixed === undefined ? "" : FIXED + fixed);
}

/** A package and its version: `redis@7.2.4`, `@scope/name@1.0`. */
export function readVersioned(text: string): PastedItem {
  const at = text.lastIndexOf("@");
  return at > 0 && at < text.length - 1
    ? { name: text.slice(0, at), version: text.slice(at + 1) }
    : { name: text };
}

/** Reads what `writeItem` writes; undefined for a text that means nothing. */
export function readItem(text: string): PastedItem | undefined {
  if (text === "") return undefined;
  if (text.startsWith(IMAGE))
    return text.length > IMAGE.length ? { image: text.slice(IMAGE.length) } : undefined;
  const end = text.lastIndexOf(FIXED);
  if (end > 0) {
    const fixed = text.slice(end + FIXED.length);
    const item = readItem(text.slice(0, end));
    return item?.name === undefined || fixed === "" ? item : { ...item, fixed };
  }
  const at = text.indexOf(BETWEEN);
  const [id, named] = at < 0 ? ["", text] : [text.slice(0, at), text.slice(at + 1)];
  if (id === "" && isVulnerabilityId(named)) return { id: named };
  const purl = readPurl(named);
  if (purl) return { ...(id && { id }), ...purl };
  if (id === "") return named.lastIndexOf("@") > 0 ? readVersioned(named) : { word: named };
  return { id, ...readVersioned(named) };
}

/** Which build of a package is asked about: "x86_64, alpine-3.20"; "" if any. */
export const buildOf = ({ architecture, distro }: PastedItem): string =>
  [architecture, distro].filter(Boolean).join(", ");

/** In the words of a chip: "CVE-2026-1 in redis 7.2.4-r1 (x86_64)". */
export function itemText({ id, name, version, image, word, architecture, distro }: PastedItem): string {
  if (image !== undefined) return image;
  if (word !== undefined) return word;
  const versioned = [name, version].filter(Boolean).join(" ");
  const build = buildOf({ architecture, distro });
  return `${[id, versioned].filter(Boolean).join(" in ")}${build && ` (${build})`}`;
}

/** As a line that is read as the same item. */
export function itemLine(item: PastedItem): string {
  const { id, fixed, type, ...rest } = item;
  const named = type === undefined ? itemText(rest) : writeItem({ ...rest, type });
  return (fixed === undefined ? [id, named] : [named, fixed, id]).filter(Boolean).join(" ");
}

/** What stands for a version in a line. */
export const VERSION = /^v?\d[\w.+~:^-]*$/;

/** With the version that a scanner says fixes it, if the text is one. */
export const withFix = (item: PastedItem, fixed = ""): PastedItem =>
  item.version !== undefined && VERSION.test(item.version) && VERSION.test(fixed) ? { ...item, fixed } : item;
