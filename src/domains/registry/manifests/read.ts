import { RE2JS } from "re2js";
import { isMap, isScalar, LineCounter, parseAllDocuments, visit, type Node, type YAMLMap } from "yaml";

import { parseReference, type PullReference } from "~/domains/registry/references/reference-text";

/** A text to read, with its name. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** From and to, in UTF-16 units of the whole text. */
export type Span = readonly [from: number, to: number];

/** Why a place that names an image can't be looked up. */
export type Unreadable = "variable" | "template" | "reference";

/** One place of a text that names an image. */
export interface Use {
  /** From 1. */
  readonly line: number;
  /** The image as it stands there; put together if its parts stand apart. */
  readonly text: string;
  readonly reference: PullReference | undefined;
  readonly unreadable?: Unreadable | undefined;
  /** Where its tag and digest stand; missing if a variable brings them. */
  readonly tag?: Span | undefined;
  readonly digest?: Span | undefined;
}

export interface Manifest {
  readonly source: Source;
  readonly uses: readonly Use[];
  /** What of the text couldn't be read. */
  readonly problems: readonly string[];
}

const FILE = /(?:^|[\\/])(?:Dockerfile|Containerfile)(?:\.[^\\/]*)?$|\.(?:dockerfile|containerfile)$/i;
/** Linear in the length of the text, whatever it is. */
const KEY = RE2JS.compile(
  "^[^\\S\\n]*(?:-[^\\S\\n]+)?[\"']?[\\w./-]+[\"']?[^\\S\\n]*:(?:\\s|$)",
  RE2JS.MULTILINE,
);

/** True for what a Dockerfile may start with (its reference, "FROM"). */
function isDockerfile(text: string): boolean {
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    const trimmed = line.trim();
    if (trimmed !== "" && !trimmed.startsWith("#")) return /^(?:ARG|FROM)\s+\S/i.test(trimmed);
  }
  return false;
}

/** The images that a text names: a Dockerfile, YAML of Kubernetes, Helm, Compose or Kustomize, or one image a line. */
export function readManifest(source: Source): Manifest {
  const { name, text } = source;
  const { uses, problems = [] } =
    FILE.test(name) || isDockerfile(text)
      ? { uses: readDockerfile(text) }
      : KEY.matcher(text).find()
        ? readYaml(text)
        : { uses: readLines(text) };
  return { source, uses: uses.toSorted((a, b) => a.line - b.line), problems };
}

/** Line numbers of a text. */
function linesOf(text: string): (offset: number) => number {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) counter.addNewLine(index + 1);
  return (offset) => counter.linePos(offset).line;
}

const VARIABLE = /\$\{?([A-Za-z_]\w*)(?::?-([^}]*))?\}?/g;

/** Longest image that is read, in characters: each variable can stand for a long text. */
const MOST_IMAGE = 2_000;

/** A text with its variables replaced by their defaults; undefined if one has none. Ends after MOST_IMAGE. */
function substitute(text: string, defaults: ReadonlyMap<string, string>): string | undefined {
  let value = "";
  let after = 0;
  for (const { index, 0: found, 1: name = "", 2: own } of text.matchAll(VARIABLE)) {
    const stands = defaults.get(name) ?? own;
    if (stands === undefined) return undefined;
    value += text.slice(after, index) + stands;
    if (value.length > MOST_IMAGE) return value;
    after = index + found.length;
  }
  return value + text.slice(after);
}

const NO_DEFAULTS: ReadonlyMap<string, string> = new Map();

/** An image that stands in one piece, from `from` on. */
function whole(text: string, from: number, line: number, defaults = NO_DEFAULTS): Use {
  if (text.length > MOST_IMAGE)
    return { line, text: text.slice(0, MOST_IMAGE), reference: undefined, unreadable: "reference" };
  if (text.includes("{{")) return { line, text, reference: undefined, unreadable: "template" };
  const value = substitute(text, defaults);
  if (value === undefined) return { line, text, reference: undefined, unreadable: "variable" };
  const reference = value.length > MOST_IMAGE ? undefined : parseReference(value);
  if (!reference) return { line, text, reference, unreadable: "reference" };
  if (value !== text) return { line, text, reference };
  const { tag, digest } = reference;
  const end = from + text.length;
  const beforeDigest = digest === undefined ? end : end - digest.length - 1;
  return {
    line,
    text,
    reference,
    ...(tag !== undefined && { tag: [beforeDigest - tag.length, beforeDigest] as const }),
    ...(digest !== undefined && { digest: [end - digest.length, end] as const }),
  };
}

/** A word of an instruction, and where it stands. */
interface Word {
  readonly text: string;
  readonly at: number;
}

const wordsOf = (instruction: string): Word[] =>
  Array.from(instruction.matchAll(/\S+/g), ({ 0: text, index }) => ({ text, at: index }));

/** What stands after a prefix of a word. */
const after = ({ text, at }: Word, prefix: string): Word[] =>
  text.startsWith(prefix) && text.length > prefix.length
    ? [{ text: text.slice(prefix.length), at: at + prefix.length }]
    : [];

/** The image that a mount is from: `--mount=type=bind,from=image,target=/t`. */
const mounted = (word: Word): Word[] =>
  after(word, "--mount=").flatMap(({ text, at }) => {
    let next = at;
    return text.split(",").flatMap((option) => {
      const from = next;
      next += option.length + 1;
      return after({ text: option, at: from }, "from=");
    });
  });

/** Name and default of an ARG; the default can be in quotes. */
function argumentIn(instruction: string): readonly [name: string, value: string] | undefined {
  const said = instruction.trim().slice("ARG".length).trimStart();
  const end = said.indexOf("=");
  const name = said.slice(0, Math.max(0, end));
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const value = said.slice(end + 1);
  const quote = value.charAt(0);
  const closed = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
  if (closed > 0) return [name, value.slice(1, closed)];
  const [word = ""] = /^\S+/.exec(value) ?? [];
  return word === "" ? undefined : [name, word];
}

function readDockerfile(text: string): Use[] {
  const lineAt = linesOf(text);
  const defaults = new Map<string, string>();
  const stages = new Set(["scratch"]);
  const uses: Use[] = [];
  // An instruction goes on after a backslash at the end of its line.
  const instructions = text.replaceAll(/\\[^\S\n]*\n/g, (end) => " ".repeat(end.length));
  for (const { index, 0: instruction } of instructions.matchAll(/[^\n]+/g)) {
    const [keyword = "", next = ""] = /^\s*([a-z]+)(\s)/i.exec(instruction)?.slice(1) ?? [];
    if (next === "") continue;
    const add = ({ text: image, at }: Word) => {
      if (stages.has(image.toLowerCase()) || /^\d+$/.test(image)) return;
      const from = index + at;
      uses.push(whole(image, from, lineAt(from), defaults));
    };
    switch (keyword.toUpperCase()) {
      case "ARG": {
        const argument = argumentIn(instruction);
        if (argument) defaults.set(...argument);
        break;
      }
      case "FROM": {
        const [image, as, stage] = wordsOf(instruction)
          .slice(1)
          .filter((word) => !word.text.startsWith("--"));
        if (image) add(image);
        if (as?.text.toUpperCase() === "AS" && stage) stages.add(stage.text.toLowerCase());
        break;
      }
      case "COPY":
      case "ADD":
        for (const word of wordsOf(instruction)) after(word, "--from=").forEach(add);
        break;
      case "RUN":
        for (const word of wordsOf(instruction)) mounted(word).forEach(add);
        break;
      default:
    }
  }
  return uses;
}

function readLines(text: string): Use[] {
  const lineAt = linesOf(text);
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ index, 0: row }) => {
    const [said = ""] = row.split("#", 1);
    const image = said.trim();
    if (image === "") return [];
    const from = index + row.indexOf(image);
    return [whole(image, from, lineAt(from))];
  });
}

/** A text in YAML: its value, and where it stands without its quotes. Numbers count as written: `tag: 3.10`. */
function scalarAt(node: unknown): { readonly value: string; readonly span: Span } | undefined {
  if (!isScalar(node) || !node.range || node.value === null) return undefined;
  const value = node.source ?? String(node.value);
  const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE" ? 1 : 0;
  const from = node.range[0] + quoted;
  return { value, span: [from, from + value.length] };
}

/** An image whose parts stand apart: a chart's `repository` and `tag`, Kustomize's `name` and `newTag`. */
function inParts(map: YAMLMap, line: number): Use | undefined {
  const at = (key: string) => scalarAt(map.get(key, true));
  const tag = at("tag") ?? at("newTag");
  const digest = at("digest");
  const isKustomize = map.has("newTag") || digest?.value.startsWith("sha256:") === true;
  const repository = at("repository") ?? (isKustomize ? (at("newName") ?? at("name")) : undefined);
  if (!repository || (!tag && !digest && !at("registry"))) return undefined;
  const registry = at("registry")?.value;
  const text = [
    registry ? `${registry}/` : "",
    repository.value,
    tag?.value ? `:${tag.value}` : "",
    digest?.value ? `@${digest.value}` : "",
  ].join("");
  const { unreadable, reference } = whole(text, 0, line);
  return {
    line,
    text,
    reference,
    unreadable,
    ...(tag?.value && { tag: tag.span }),
    ...(digest?.value && { digest: digest.span }),
  };
}

/** Problems that are told. */
const MOST_PROBLEMS = 20;

function repeatedKey(map: YAMLMap): Node | undefined {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === "<<") continue;
    if (seen.has(key.value)) return key;
    seen.add(key.value);
  }
  return undefined;
}

function readYaml(text: string): { readonly uses: Use[]; readonly problems: string[] } {
  const lineCounter = new LineCounter();
  const lineOf = (node: Node) => lineCounter.linePos(node.range?.[0] ?? 0).line;
  const uses: Use[] = [];
  const problems: string[] = [];
  // Bounded, since an alias can stand for a text of any length.
  // Its own look for keys that are there twice compares each with each.
  const options = { lineCounter, keepSourceTokens: false, uniqueKeys: false };
  const documents = parseAllDocuments(text, options);
  const tell = (problem: string) => problems.length < MOST_PROBLEMS && problems.push(problem);
  for (const document of Array.isArray(documents) ? documents : []) {
    for (const { message } of document.errors.slice(0, 3)) tell(message.split("\n", 1)[0] ?? message);
    visit(document, {
      Map(_, map) {
        const twice = repeatedKey(map);
        if (twice) tell(`A key is there twice at line ${lineOf(twice)}`);
        const apart = inParts(map, lineOf(map));
        if (apart) uses.push(apart);
      },
      Pair(_, { key, value }) {
        if (!isScalar(key) || key.value !== "image" || isMap(value)) return;
        const found = scalarAt(value);
        if (found) uses.push(whole(found.value, found.span[0], lineOf(value as Node)));
      },
    });
  }
  return { uses, problems };
}
