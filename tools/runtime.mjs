/**
 * Collects what the service runs from, and what its operators read, after a build and `npm ci --omit=dev -w server`:
 * `node tools/runtime.mjs <folder>`.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The times and the manifest of a build, what npm notes for itself, the link of the workspace, programs for contributors. */
const LEFT_OUT =
  /(?:^|\/)(?:\.built|\.vite|\.package-lock\.json)$|(?:^|\/)node_modules\/(?:\.bin|platform-service)$|^server\/dist\/(?:bench|proto)\.js$/;

/** npm puts packages below `server` if the root has another version of them. */
const PROGRAM = [
  "package.json",
  "dist",
  "node_modules",
  "server/package.json",
  "server/bin",
  "server/dist",
  "server/node_modules",
  "packages/command/dist",
];

const COMMANDS = ["platform", "docker-credential-platform"];

/** What an operator reads or copies. README.md is another one than that of the repository. */
export const PAPERS = [
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "deploy",
  "docs/audit.md",
  "docs/decisions/undo.md",
  "docs/figures/figures.md",
  "docs/kubernetes.md",
  "docs/operate",
  "docs/performance.md",
  "docs/receivers.md",
  "docs/registry.md",
  "docs/releases.md",
  "docs/signatures.md",
  "docs/tasks.md",
];

/** The text of deploy/README.md, whose links are those of its folder, for the top. */
export const readmeFrom = (text) => text.replaceAll("](../", "](");

/**
 * Copies the parts, and the licenses of the packages to the top.
 * @param {string} source the repository, built
 * @param {string} target a folder that this creates
 */
export function copyRuntime(source, target) {
  const filter = (path) => !LEFT_OUT.test(relative(source, path).split(sep).join("/"));
  mkdirSync(target, { recursive: true });
  // The build of an archive or image writes `proto` too.
  for (const part of [...PROGRAM, ...PAPERS, "proto"])
    if (existsSync(join(source, part)))
      cpSync(join(source, part), join(target, part), { recursive: true, filter, verbatimSymlinks: true });
  copyFileSync(join(source, "dist/third-party-notices.txt"), join(target, "third-party-notices.txt"));
  writeFileSync(
    join(target, "README.md"),
    readmeFrom(readFileSync(join(source, "deploy/README.md"), "utf8")),
  );
  mkdirSync(join(target, "bin"));
  symlinkSync("../server/bin/platform-console.mjs", join(target, "bin/platform-console"));
  for (const name of COMMANDS) symlinkSync(`../packages/command/dist/${name}.mjs`, join(target, "bin", name));
}

/**
 * Copies the programs for users of the API, which need nothing beside them but Node.
 * @param {string} source the repository, built
 * @param {string} target a folder that this creates
 */
export function copyCommand(source, target) {
  mkdirSync(join(target, "bin"), { recursive: true });
  copyFileSync(join(source, "packages/command/dist/platform-mcp.mjs"), join(target, "platform-mcp.mjs"));
  for (const name of COMMANDS) {
    copyFileSync(join(source, `packages/command/dist/${name}.mjs`), join(target, `${name}.mjs`));
    symlinkSync(`../${name}.mjs`, join(target, "bin", name));
  }
  copyFileSync(join(source, "LICENSE"), join(target, "LICENSE"));
  copyFileSync(join(source, "dist/third-party-notices.txt"), join(target, "third-party-notices.txt"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  copyRuntime(fileURLToPath(new URL("..", import.meta.url)), resolve(process.argv[2] ?? "runtime"));
