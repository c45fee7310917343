import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** One file as it is served: its bytes by content coding. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** The name holds a hash of the content: it may be kept for ever. */
  readonly immutable: boolean;
  readonly identity: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const read = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

const etagOf = (bytes: Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/**
 * The built console, held in memory (a few MB), by path relative to the base path: `assets/main-abc.js`. The page
 * itself and `config.json` are made by the service and not among them. Empty when the console is not built.
 */
export function readConsoleFiles(directory: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
    // Names that begin with a dot are the build's own records; only known types go out.
    .filter((name) => !name.startsWith(".") && extname(name) in TYPES)
    .filter((name) => name !== "index.html" && name !== "config.json");
  return new Map(
    names.map((name) => {
      const path = join(directory, name);
      const file = consoleFile(readFileSync(path), extname(name), /^assets\/.*-[\w-]{8,}\.\w+$/.test(name));
      const br = read(`${path}.br`);
      const gzip = read(`${path}.gz`);
      return [name, { ...file, ...(br && { br }), ...(gzip && { gzip }) }];
    }),
  );
}

const consoleFile = (identity: Buffer, extension: string, immutable: boolean): ConsoleFile => ({
  type: TYPES[extension] ?? "application/octet-stream",
  etag: etagOf(identity),
  immutable,
  identity,
});

/** Text made by the service, compressed once at start. */
export function textFile(text: string, extension: ".html" | ".json"): ConsoleFile {
  const bytes = Buffer.from(text);
  return { ...consoleFile(bytes, extension, false), br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
}

/**
 * The page that every screen begins with; `basePath` ("/", "/console/") goes into its one `<base>` line.
 * Undefined when the console is not built.
 */
export function readPage(directory: string, basePath: string): ConsoleFile | undefined {
  const source = read(join(directory, "index.html"))?.toString();
  if (source === undefined) return undefined;
  const page = source.replace(/<base href="[^"]*"/, `<base href="${basePath}"`);
  if (!page.includes(`<base href="${basePath}"`))
    throw new Error(`${directory}/index.html has no <base href="/">`);
  return textFile(page, ".html");
}

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/**
 * A `Link` header (RFC 8288) with the files of the app that the page does not name, from Vite's manifest: a browser that will
 * need them asks for them when the page begins to arrive, rather than when the first script has run. Undefined when the
 * console is not built.
 */
export function readAppLink(directory: string, basePath: string): string | undefined {
  const [page, manifest] = [
    read(join(directory, "index.html")),
    read(join(directory, ".vite/manifest.json")),
  ];
  if (!page || !manifest) return undefined;
  const chunks = JSON.parse(manifest.toString()) as Readonly<Record<string, Chunk>>;
  const found = new Set<string>();
  const add = (key: string): void => {
    if (found.has(key)) return;
    found.add(key);
    chunks[key]?.imports?.forEach(add);
  };
  Object.keys(chunks)
    .filter((key) => chunks[key]?.name === "app")
    .forEach(add);
  const links = [...found].flatMap((key) => {
    const { file = "", css = [] } = chunks[key] ?? {};
    return [
      ...css.map((sheet) => ({ file: sheet, kind: "rel=preload; as=style" })),
      { file, kind: "rel=modulepreload; as=script" },
    ];
  });
  return links
    .filter(({ file }) => !page.includes(file))
    .map(({ file, kind }) => `<${basePath}${file}>; ${kind}; crossorigin`)
    .join(", ");
}

/** The best coding that the client takes (RFC 9110, section 12.5.3). */
export function codingFor(file: ConsoleFile, acceptEncoding: string): "br" | "gzip" | "identity" {
  const accepted = new Set(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";", 1)[0]?.trim()),
  );
  if (file.br && accepted.has("br")) return "br";
  return file.gzip && accepted.has("gzip") ? "gzip" : "identity";
}
