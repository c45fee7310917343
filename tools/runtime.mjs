/** Collects what the service runs from, after a build and `npm ci --omit=dev -w server`: `node tools/runtime.mjs <folder>`. */
import { copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The times and the manifest of a build, what npm notes for itself, and the link of the workspace to its sources. */
const LEFT_OUT =
  /(?:^|\/)(?:\.built|\.vite|\.package-lock\.json)$|(?:^|\/)node_modules\/(?:\.bin|platform-service)$/;

/** npm puts packages below `server` if the root has another version of them. */
const PARTS = [
  "LICENSE",
  "CHANGELOG.md",
  "package.json",
  "dist",
  "node_modules",
  "server/package.json",
  "server/dist",
  "server/node_modules",
];

/**
 * Copies the parts, and the licenses of the packages to the top.
 * @param {string} source the repository, built
 * @param {string} target a folder that this creates
 */
export function copyRuntime(source, target) {
  const filter = (path) => !LEFT_OUT.test(relative(source, path).split(sep).join("/"));
  mkdirSync(target, { recursive: true });
  for (const part of PARTS)
    if (existsSync(join(source, part)))
      cpSync(join(source, part), join(target, part), { recursive: true, filter, verbatimSymlinks: true });
  copyFileSync(join(source, "dist/third-party-notices.txt"), join(target, "third-party-notices.txt"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  copyRuntime(fileURLToPath(new URL("..", import.meta.url)), resolve(process.argv[2] ?? "runtime"));
