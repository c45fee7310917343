import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { isStale, writeStamp } from "./stamp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);
const lock = at("package-lock.json");

const targets = [
  {
    name: "console",
    config: at("vite.config.ts"),
    sources: [
      "contract",
      "packages/client",
      "src",
      "public",
      "index.html",
      "vite.config.ts",
      "tools/notices.mjs",
      "tsconfig.json",
      "tsr.config.json",
      "package.json",
    ].map((name) => at(name)),
    stamp: at("dist/.built"),
    lock,
    after: () => precompress(at("dist")),
  },
  {
    name: "service",
    config: at("server/vite.config.ts"),
    // The sign-in pages have the colors and fonts of the console.
    sources: ["server", "contract", "src/ui/theme.css", "src/ui/fonts.css", "tsconfig.json"].map((name) =>
      at(name),
    ),
    stamp: at("server/dist/.built"),
    lock,
    after: () => {},
  },
  {
    name: "command",
    config: at("packages/command/vite.config.ts"),
    sources: ["packages", "contract", "tsconfig.json"].map((name) => at(name)),
    stamp: at("packages/command/dist/.built"),
    lock,
    inputs: [
      { platform: at("packages/command/main.ts") },
      { "docker-credential-platform": at("packages/command/docker-credential.ts") },
      // Loaded by `platform mcp` alone.
      { "platform-mcp": at("packages/command/mcp.ts") },
    ],
    after() {
      for (const name of ["platform", "docker-credential-platform"])
        chmodSync(at(`packages/command/dist/${name}.mjs`), 0o755);
    },
  },
];

/**
 * Builds console, service and command, or only the named ones; with `stale`, only if older than their sources.
 * @param {{ stale?: boolean, names?: string[] }} options
 */
export async function build({ stale = false, names = [] } = {}) {
  const named = targets.filter(({ name }) => names.length === 0 || names.includes(name));
  const wanted = named.filter((target) => !stale || isStale(target));
  if (wanted.length === 0) return;
  const vite = await import("vite");
  for (const target of wanted) {
    process.stderr.write(`Building the ${target.name} ...\n`);
    const begin = Date.now();
    for (const input of target.inputs ?? [undefined])
      await vite.build({
        root,
        configFile: target.config,
        logLevel: "warn",
        ...(input && { build: { rolldownOptions: { input } } }),
      });
    target.after();
    writeStamp(target, begin);
  }
}

const TEXT = /\.(?:js|css|svg|html|json|txt)$/;
/** Edited at deployment: the compressed copy would still serve the old content. */
const EDITED = new Set(["index.html", "config.json"]);

/** Brotli by the mode that makes it smaller: its distance codes for fonts suit the largest scripts better, by 0.3 %. */
function brotli(bytes) {
  const modes = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT];
  const packed = modes.map((mode) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_MODE]: mode } }),
  );
  return packed.toSorted((a, b) => a.length - b.length)[0];
}

/** Writes brotli and gzip files next to every text file, so that the service does not compress per request. */
function precompress(directory) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !TEXT.test(entry.name) || EDITED.has(entry.name) || /\/\.vite\//.test(path))
      continue;
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotli(bytes));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const names = process.argv.slice(2).filter((name) => name !== "--stale");
  const stale = process.argv.includes("--stale");
  try {
    await build({ names, stale });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
