import { isMap, isScalar, LineCounter, parseAllDocuments, visit, type Node, type YAMLMap } from "yaml";

import { parseReference, type PullReference } from "~/features/registry/reference-text";

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
/** A text that starts with what a Dockerfile may start with (its reference, "FROM"). */
const INSTRUCTIONS = /^(?:\s*(?:#.*)?\n)*\s*(?:ARG\s+\S|FROM\s+\S)/i;
const KEY = /^\s*(?:-\s+)?["']?[\w./-]+["']?\s*:(?:\s|$)/m;

/** The images that a text names: a Dockerfile, YAML of Kubernetes, Helm, Compose or Kustomize, or one image a line. */
export function readManifest(source: Source): Manifest {
  const { name, text } = source;
  const { uses, problems = [] } =
    FILE.test(name) || INSTRUCTIONS.test(text)
      ? { uses: readDockerfile(text) }
      : KEY.test(text)
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

/** A text with its variables replaced by their defaults; undefined if one has none. */
function substitute(text: string, defaults: ReadonlyMap<string, string>): string | undefined {
  let whole = true;
  const value = text.replaceAll(VARIABLE, (_, name: string, own: string | undefined) => {
    const found = defaults.get(name) ?? own;
    whole &&= found !== undefined;
    return found ?? "";
  });
  return whole ? value : undefined;
}

const NO_DEFAULTS: ReadonlyMap<string, string> = new Map();

/** An image that stands in one piece, from `from` on. */
function whole(text: string, from: number, line: number, defaults = NO_DEFAULTS): Use {
  if (text.includes("{{")) return { line, text, reference: undefined, unreadable: "template" };
  const value = substitute(text, defaults);
  if (value === undefined) return { line, text, reference: undefined, unreadable: "variable" };
  const reference = parseReference(value);
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

const ARG = /^\s*ARG\s+([A-Za-z_]\w*)=(?:"([^"]*)"|'([^']*)'|(\S+))/i;
const FROM = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/di;
const COPY = /^\s*(?:COPY|ADD)\s.*?--from=(\S+)/di;
const MOUNT = /^\s*RUN\s.*?--mount=\S*?\bfrom=([^,\s]+)/di;

function readDockerfile(text: string): Use[] {
  const lineAt = linesOf(text);
  const defaults = new Map<string, string>();
  const stages = new Set(["scratch"]);
  const uses: Use[] = [];
  // An instruction goes on after a backslash at the end of its line.
  const instructions = text.replaceAll(/\\[^\S\n]*\n/g, (end) => " ".repeat(end.length));
  for (const { index, 0: instruction } of instructions.matchAll(/[^\n]+/g)) {
    const argument = ARG.exec(instruction);
    if (argument?.[1]) defaults.set(argument[1], argument[2] ?? argument[3] ?? argument[4] ?? "");
    const named = FROM.exec(instruction) ?? COPY.exec(instruction) ?? MOUNT.exec(instruction);
    const image = named?.[1];
    if (image !== undefined && !stages.has(image.toLowerCase()) && !/^\d+$/.test(image)) {
      const from = index + (named?.indices?.[1]?.[0] ?? 0);
      uses.push(whole(image, from, lineAt(from), defaults));
    }
    if (named?.[2]) stages.add(named[2].toLowerCase());
  }
  return uses;
}

function readLines(text: string): Use[] {
  return [...text.matchAll(/[^\n]+/g)].flatMap(({ index, 0: row }) => {
    const image = row.replace(/#.*$/, "").trim();
    if (image === "") return [];
    const from = index + row.indexOf(image);
    return [whole(image, from, linesOf(text)(from))];
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

function readYaml(text: string): { readonly uses: Use[]; readonly problems: string[] } {
  const lineCounter = new LineCounter();
  const lineOf = (node: Node) => lineCounter.linePos(node.range?.[0] ?? 0).line;
  const uses: Use[] = [];
  const problems: string[] = [];
  // Bounded, since an alias can stand for a text of any length.
  const documents = parseAllDocuments(text, { lineCounter, keepSourceTokens: false });
  for (const document of Array.isArray(documents) ? documents : []) {
    for (const { message } of document.errors.slice(0, 3))
      problems.push(message.split("\n", 1)[0] ?? message);
    visit(document, {
      Map(_, map) {
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
