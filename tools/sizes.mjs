/**
 * What a visit loads: the page, the closure of static imports of every module it enters, and their style sheets and
 * other files, in bytes as served with brotli. Read from Vite's manifest (`dist/.vite/manifest.json`).
 */

/**
 * @typedef {{ file: string, name?: string, src?: string, imports?: string[], css?: string[], assets?: string[] }} Chunk
 * @typedef {{ name: string, entries: string[], files?: string[], budget: number }} Visit `entries`: source modules or
 *   names of chunks; `files`: files that the page itself names; `budget`: maximum bytes.
 * @typedef {{ files: number, bytes: number, fonts: number, types: Record<string, number> }} Size
 *   `bytes`: all files but fonts, which have a budget of their own; `fonts`: bytes of these
 */

/** Matches every part of a split route: `src/routes/x.tsx` also stands for `src/routes/x.tsx?tsr-split=component`. */
const isOf = (key, entry) => key === entry || key.startsWith(`${entry}?`);

/**
 * Returns the files that a visit loads, each once.
 * @param {Record<string, Chunk>} manifest
 * @param {Visit} visit
 * @returns {string[]} paths below dist
 */
export function filesOf(manifest, visit) {
  const chunks = new Set();
  const add = (key) => {
    if (chunks.has(key)) return;
    if (!manifest[key]) throw new Error(`The build has no chunk ${key}`);
    chunks.add(key);
    for (const imported of manifest[key].imports ?? []) add(imported);
  };
  for (const entry of visit.entries) {
    const keys = Object.keys(manifest).filter((key) => isOf(key, entry) || manifest[key].name === entry);
    if (keys.length === 0) throw new Error(`"${visit.name}" enters ${entry}, which is no chunk of the build`);
    for (const key of keys) add(key);
  }
  const files = [...chunks].flatMap((key) => {
    const { file, css = [], assets = [] } = manifest[key];
    return [file, ...css, ...assets];
  });
  return [...new Set([...(visit.files ?? []), ...files])];
}

/** Maximum bytes of the fonts that a visit loads. */
export const FONT_BUDGET = 70_000;

/**
 * @param {string[]} files
 * @param {(file: string) => number} bytesOf
 * @returns {Size}
 */
export function sizeOf(files, bytesOf) {
  const types = {};
  for (const file of files) {
    const type = file.slice(file.lastIndexOf(".") + 1);
    types[type] = (types[type] ?? 0) + bytesOf(file);
  }
  const { woff2: fonts = 0, ...others } = types;
  return {
    files: files.length,
    bytes: Object.values(others).reduce((sum, bytes) => sum + bytes, 0),
    fonts,
    types,
  };
}

const kB = (bytes) => (bytes / 1000).toFixed(1);

/**
 * Returns the sizes as a Markdown table.
 * @param {[visit: Pick<Visit, "name" | "budget">, size: Size][]} rows
 */
export function table(rows) {
  const types = [...new Set(rows.flatMap(([, { types: found }]) => Object.keys(found)))].toSorted();
  const lines = [
    ["first visit to", "requests", ...types, "without fonts, kB", "budget"],
    ["---", ...types.map(() => "---:"), "---:", "---:", "---:"],
    ...rows.map(([{ name, budget }, size]) => [
      name,
      String(size.files),
      ...types.map((type) => kB(size.types[type] ?? 0)),
      kB(size.bytes),
      kB(budget),
    ]),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * Returns a sentence for each visit over its budget.
 * @param {[visit: Pick<Visit, "name" | "budget">, size: Size][]} rows
 * @returns {string[]}
 */
export const overBudget = (rows) =>
  rows.flatMap(([{ name, budget }, { bytes, fonts }]) => [
    ...(bytes > budget ? [`${name} loads ${bytes} bytes; the limit is ${budget}`] : []),
    ...(fonts > FONT_BUDGET ? [`${name} loads ${fonts} bytes of fonts; the limit is ${FONT_BUDGET}`] : []),
  ]);

/**
 * Replaces the text between the two marker lines of a document.
 * @param {string} document
 * @param {string} marker
 * @param {string} text
 */
export function fill(document, marker, text) {
  const [begin, end] = [`<!-- ${marker}: begin -->`, `<!-- ${marker}: end -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document has no place marked ${begin} ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
