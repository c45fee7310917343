import { printable } from "../output/printable";

/** An expression as it is written: `var.secret`. */
export interface Expression {
  readonly expression: string;
}
export type Value = string | number | boolean | Expression | readonly Value[] | { readonly map: ValueMap };
type ValueMap = Readonly<Record<string, Value>>;

/** A block with its attributes, those without a value left out, and the blocks in it. */
export interface Block {
  /** `resource`, and its labels. */
  readonly type: string;
  readonly labels?: readonly string[];
  readonly attributes?: Readonly<Record<string, Value | undefined>>;
  readonly blocks?: readonly Block[];
  /** Lines before it. */
  readonly comments?: readonly string[];
}

/** Longest list on one line. */
const LINE = 100;

const SHORT: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/**
 * A text in quotes, which means this text and nothing else: no template begins in it. What a terminal does not show is
 * written as \u001b. (HCL native syntax specification, "Template Expressions" and "Quoted Templates".)
 */
export function quoted(text: string): string {
  const escaped = text
    .replaceAll(/[\n\r\t"\\]/g, (character) => SHORT[character] ?? character)
    .replaceAll(/[$%](?=\{)/g, "$&$&");
  return `"${printable(escaped)}"`;
}

/** A comment, on one line whatever is in it. */
export const comment = (text: string): string => (text === "" ? "#" : `# ${printable(text)}`);

const columns = (text: string): number => [...new Intl.Segmenter("en").segment(text)].length;

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The lines of a value, the first of which stands behind its name. */
function linesOf(value: Value): string[] {
  if (typeof value === "string") return [quoted(value)];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (isList(value)) {
    const items = value.map(linesOf);
    const line = `[${items.flat().join(", ")}]`;
    if (items.every(({ length }) => length === 1) && line.length <= LINE) return [line];
    return ["[", ...items.flatMap((lines) => indented([...lines.slice(0, -1), `${lines.at(-1)},`])), "]"];
  }
  if ("map" in value)
    return [
      "{",
      ...indented(assignments(Object.entries(value.map).map(([key, of]) => [quoted(key), of]))),
      "}",
    ];
  return [value.expression];
}

const indented = (lines: readonly string[]): string[] =>
  lines.map((line) => (line === "" ? line : `  ${line}`));

/** Assignments; the "=" of those of one line each that follow each other stand below each other. */
function assignments(pairs: readonly (readonly [name: string, value: Value])[]): string[] {
  const lines: string[] = [];
  let chain: (readonly [name: string, line: string])[] = [];
  const close = () => {
    const width = Math.max(0, ...chain.map(([name]) => columns(name)));
    lines.push(...chain.map(([name, line]) => `${name}${" ".repeat(width - columns(name))} = ${line}`));
    chain = [];
  };
  for (const [name, value] of pairs) {
    const [first = "", ...rest] = linesOf(value);
    if (rest.length === 0) {
      chain.push([name, first]);
      continue;
    }
    close();
    lines.push(`${name} = ${first}`, ...rest);
  }
  close();
  return lines;
}

function blockLines({ type, labels = [], attributes = {}, blocks = [], comments = [] }: Block): string[] {
  const pairs = Object.entries(attributes).filter((pair): pair is [string, Value] => pair[1] !== undefined);
  const inside = [assignments(pairs), ...blocks.map((block) => blockLines(block))].filter(
    (lines) => lines.length > 0,
  );
  const head = [...comments.map(comment), `${[type, ...labels.map(quoted)].join(" ")} {`];
  return [...head, ...inside.flatMap((lines, index) => indented(index === 0 ? lines : ["", ...lines])), "}"];
}

/** Blocks as text, as `terraform fmt` leaves it. */
export const blocksText = (blocks: readonly Block[]): string =>
  blocks.map((block) => `${blockLines(block).join("\n")}\n`).join("\n");
