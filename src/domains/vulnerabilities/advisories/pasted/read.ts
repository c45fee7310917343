import { bare, readReference } from "~/domains/registry/references/reference-text";

import { idsWithin } from "./ids-within";
import { itemText, readVersioned, VERSION, withFix, writeItem, type PastedItem } from "./item";
import { readPackagePage } from "./package-pages";
import { readPurl } from "./purl";
import { readJson } from "./read-json";
import { purlTypeOf } from "./types";

/** How many things one text can ask about. */
export const MOST_ITEMS = 2_000;
/** Longer words are neither ids nor names. */
const MOST_WORD = 500;
/** A longer text is a report: what in it stands alone is not asked about. */
const FEW_LINES = 12;

// oxlint-disable-next-line no-control-regex -- terminals are told colors by it
const COLORS = /\u001b\[[0-9;]{0,20}m/g;
const SEVERITY = /^(?:critical|high|medium|moderate|low|negligible|unknown|unspecified|none)$/i;
const RANGE = /^[<>=~^*]/;
const NAME = /^@?[A-Za-z0-9][\w.+/:@=-]*$/;

/** Docker Scout: below an id, the version that fixes it. */
const FIX = /^\s{0,50}Fixed version\s{0,20}:\s{0,20}(\S{1,200})\s*$/i;

/** A rule within a table, where cells are joined. */
const RULE = /^[\s─━┼├┤┬┴+-]*$/;

/** A line of a table: what stands between its rules. */
const cellsOf = (line: string): string[] | undefined => {
  const cells = line.split(/[│┃|]/).map((cell) => (RULE.test(cell) ? "" : cell.trim()));
  return cells.length < 4 ? undefined : cells.slice(1, -1);
};

/** Which column of a table has what. */
interface Head {
  readonly id: number;
  readonly name: number;
  readonly version: number;
  readonly type: number;
  readonly fixed: number;
}

function headOf(cells: readonly string[]): Head | undefined {
  const find = (words: RegExp) => cells.findIndex((cell) => words.test(cell));
  const head = {
    id: find(/^(?:vulnerability(?: id)?|osv url|id|cve)$/i),
    name: find(/^(?:library|package|name|package name)$/i),
    version: find(/^(?:installed version|installed|version)$/i),
    type: find(/^(?:ecosystem|type)$/i),
    fixed: find(/^(?:fixed version|fixed[- ]in|fixed)$/i),
  };
  return head.id >= 0 && head.name >= 0 ? head : undefined;
}

/** Reads the lines of a text, one after the other. */
class Lines {
  readonly items: PastedItem[] = [];
  /** Of the table that the line is in. */
  #head: Head | undefined;
  /** The package of the row above, or of the heading above. */
  #above: PastedItem | undefined;
  /** Packages of headings, until an id follows. */
  readonly #alone = new Set<PastedItem>();

  read(line: string): void {
    const cells = cellsOf(line);
    if (cells) return this.#readCells(cells);
    const [, fix] = FIX.exec(line) ?? [];
    if (fix !== undefined) return this.#fix(fix);
    const whole = line.trim().split(/\s+/).filter(Boolean);
    const words = whole.map(bare).filter(Boolean);
    if (words.length === 0 || words.some((word) => word.length > MOST_WORD)) return;
    const ids = idsWithin(line);
    if (ids.length > 0) this.#add(ids, this.#packageIn(words) ?? this.#headingAbove(words, ids));
    else if (whole.length >= 2 && NAME.test(whole[0] ?? "") && RANGE.test(whole[1] ?? ""))
      // npm audit: `minimist  <0.2.4`
      this.#above = { name: whole[0], type: "npm" };
    else this.#readAlone(line, words);
  }

  /** Adds a fix to the newest item, which its address can follow without a package. */
  #fix(version: string): void {
    const newest = this.items.at(-1);
    const at = this.items.findLastIndex(({ id, name }) => name !== undefined && id === newest?.id);
    const above = this.items[at];
    if (above) this.items[at] = withFix(above, version);
  }

  end(): PastedItem[] {
    return [...this.items, ...this.#alone];
  }

  #add(ids: readonly string[], found: PastedItem | undefined): void {
    if (found) this.#alone.delete(found);
    for (const id of ids) this.items.push({ id, ...found });
  }

  #readCells(cells: readonly string[]): void {
    const head = headOf(cells);
    if (head) {
      this.#head = head;
      this.#above = undefined;
      return;
    }
    const known = this.#head;
    if (!known) {
      const at = cells.findIndex((cell) => idsWithin(cell).length > 0);
      const name = cells.slice(0, Math.max(0, at)).findLast((cell) => NAME.test(cell));
      const [version, fixed] = cells.slice(at + 1).filter((cell) => VERSION.test(cell));
      // A row of Trivy without its head: what is before the id is the package.
      const found = name === undefined ? undefined : withFix({ name, ...(version && { version }) }, fixed);
      for (const cell of cells) this.#add(idsWithin(cell), found);
      return;
    }
    const [name, version] = [cells[known.name], cells[known.version]];
    if (name) this.#above = { name, version: version || undefined, type: purlTypeOf(cells[known.type]) };
    // Rows of one package leave out what the row above has.
    else if (version && this.#above) this.#above = { ...this.#above, version };
    // Each row has its own fix.
    const above = this.#above && withFix(this.#above, cells[known.fixed]);
    this.#add(idsWithin(cells[known.id] ?? ""), above);
  }

  /** The package that a line with an id names: `redis 7.2.4-r1 7.2.5-r0 apk CVE-2026-91338 Critical`. */
  #packageIn(words: readonly string[]): PastedItem | undefined {
    for (const [index, word] of words.entries()) {
      const purl = readPurl(word);
      if (purl) return withFix(purl, words[index + 1]);
    }
    const [name = "", version = ""] = words;
    const at = words.findIndex((word) => idsWithin(word).length > 0);
    const rest = at === 0 ? words.slice(1) : words;
    const [first = name, second = version] = rest;
    if (NAME.test(first) && VERSION.test(second) && !SEVERITY.test(first) && idsWithin(first).length === 0) {
      const type = words.slice(2).flatMap((word) => purlTypeOf(word) ?? [])[0];
      return withFix({ name: first, version: second, type }, rest[2]);
    }
    const versioned = rest.find((word) => NAME.test(word) && readAt(word) !== undefined);
    return versioned === undefined ? undefined : readAt(versioned);
  }

  /** The package of the heading above, if the line says more than the id. */
  #headingAbove(words: readonly string[], ids: readonly string[]): PastedItem | undefined {
    return words.length > ids.length ? this.#above : undefined;
  }

  #readAlone(line: string, words: readonly string[]): void {
    const purls = words.flatMap((word) => readPurl(word) ?? []);
    const [first = "", second = ""] = words;
    if (purls.length > 0) return this.#heading(purls);
    const pages = words.flatMap((word) => readPackagePage(word) ?? []);
    if (pages.length > 0) return this.#heading(pages);
    if (words.length === 2 && NAME.test(first) && VERSION.test(second))
      return this.#heading([{ name: first, version: second }]);
    const reference = readReference(line);
    if (reference && (reference.tag ?? reference.digest) !== undefined) {
      const { host, path, tag, digest } = reference;
      const image = `${host === undefined ? "" : `${host}/`}${path.join("/")}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
      this.items.push({ image });
    } else if (words.length === 1 && NAME.test(first)) {
      const found = readAt(first);
      if (found) this.#heading([found]);
      else if (!SEVERITY.test(first) && !first.startsWith("node_modules/")) this.items.push({ word: first });
    }
  }

  #heading(packages: readonly PastedItem[]): void {
    for (const one of packages) this.#alone.add(one);
    this.#above = packages.at(-1);
  }
}

/** `redis@7.2.4`, `requests==2.31.0`, and `redis-7.2.4-r1` as apk writes it; undefined without a version. */
function readAt(word: string): PastedItem | undefined {
  const apk = /^([\w.+-]{1,200})-(\d[\w.]{0,100}-r\d{1,6})$/.exec(word);
  if (apk) return { name: apk[1], version: apk[2], type: "apk" };
  const equal = word.indexOf("==");
  const { name, version } =
    equal > 0 ? { name: word.slice(0, equal), version: word.slice(equal + 2) } : readVersioned(word);
  return name !== undefined && version !== undefined && VERSION.test(version) ? { name, version } : undefined;
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readLines(text: string): PastedItem[] {
  const lines = text.replaceAll(COLORS, "").split(/\r\n|\n|\r/);
  const reader = new Lines();
  for (const line of lines) reader.read(line);
  const items = reader.end();
  const isReport = lines.length > FEW_LINES && items.some(({ id }) => id !== undefined);
  return isReport ? items.filter(({ id, type }) => id !== undefined || type !== undefined) : items;
}

/** Each once; an id that also stands with a package is not asked about alone. */
function once(items: readonly PastedItem[]): PastedItem[] {
  const within = new Set(
    items.flatMap(({ id, name }) => (id !== undefined && name !== undefined ? [id] : [])),
  );
  const kept = items.filter(({ id, name }) => id === undefined || name !== undefined || !within.has(id));
  return [...new Map(kept.map((item) => [writeItem(item), item])).values()].filter(
    (item) => itemText(item) !== "",
  );
}

/**
 * What a text asks about: lines and reports of scanners (Grype, Trivy, Docker Scout, npm audit, OSV-Scanner; text or
 * JSON), addresses of pages, ids, packages, package URLs, images. At most MOST_ITEMS.
 */
export function readPastedText(text: string): PastedItem[] {
  const json = parsed(text);
  return once(json === undefined ? readLines(text) : readJson(json)).slice(0, MOST_ITEMS);
}
