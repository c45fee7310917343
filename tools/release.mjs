/**
 * Makes the files of a release from the last commit: `npm run release -- 1.2.3 [--out <folder>]`. Two runs of the same
 * commit with the same Node write the same bytes.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { create, extract } from "tar";

import { copyCommand, copyRuntime } from "./runtime.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const NOTICES = "third-party-notices.txt";
/** Without what changes a build, or makes it a build for tests. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITE|NODE_|TEST_|TZ$)/.test(name)),
);

function run(command, args, cwd) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 100 * 1024 * 1024,
    env,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
  return stdout;
}

const git = (...args) => run("git", args, root).trim();
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Throws unless the last commit is this version. */
function checkVersion(version) {
  if (git("status", "--porcelain") !== "")
    throw new Error("The checkout has changes: commit or remove them.");
  for (const folder of [root, join(root, "server"), join(root, "packages/command")])
    if (manifestOf(folder).version !== version)
      throw new Error(
        `${join(folder, "package.json")} has version ${manifestOf(folder).version}, not ${version}`,
      );
  if (!readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`\n## [${version}] - `))
    throw new Error(`CHANGELOG.md has no "## [${version}] - <date>"`);
}

/** All files below a folder, by path, sorted. */
function filesOf(folder, below = "") {
  return readdirSync(join(folder, below))
    .toSorted()
    .map((name) => (below ? `${below}/${name}` : name))
    .flatMap((path) => (lstatSync(join(folder, path)).isDirectory() ? filesOf(folder, path) : [path]));
}

/** Packs a folder as `<name>.tar.gz`. Neither owners, times nor the order of the disk get in. */
async function pack(name, folder, out, mtime) {
  const file = join(out, `${name}.tar.gz`);
  const options = { file, cwd: folder, prefix: name, portable: true, mtime, gzip: { level: 9 } };
  await create({ ...options, noDirRecurse: true }, filesOf(folder));
}

/** `name@version` of every package that is not for development alone. */
function shipped(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return new Set(
    Object.entries(packages).flatMap(([path, { version, dev, devOptional, link }]) => {
      if (dev || devOptional || link || path === "") return [];
      return [`${path.split("node_modules/").at(-1)}@${version}`];
    }),
  );
}

/**
 * CycloneDX of everything that is not for development, without a random number and the time of this run. npm's own
 * `--omit dev` also leaves out what a package for development needs as well.
 */
function bill(folder, mtime) {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const { serialNumber: _random, ...document } = JSON.parse(run("npm", args, folder));
  const { component } = document.metadata;
  const kept = shipped(folder);
  const components = document.components.filter(({ name, version }) => kept.has(`${name}@${version}`));
  const refs = new Set([component, ...components].map((one) => one["bom-ref"]));
  const isKept = (ref) => refs.has(ref);
  const dependencies = document.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
  const named = { ...component, name: manifestOf(folder).name };
  const metadata = { ...document.metadata, timestamp: mtime.toISOString(), component: named };
  return `${JSON.stringify({ ...document, metadata, components, dependencies }, undefined, 2)}\n`;
}

/** Writes the release to `out`, which it replaces. */
async function release(version, out) {
  checkVersion(version);
  const mtime = new Date(Number(git("log", "-1", "--format=%ct")) * 1000);
  const work = mkdtempSync(join(tmpdir(), "release-"));
  try {
    const source = join(work, "source");
    mkdirSync(source);
    run("git", ["archive", "--format=tar", "-o", join(work, "source.tar"), "HEAD"], root);
    await extract({ file: join(work, "source.tar"), cwd: source });
    const install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run("npm", install, source);
    run(process.execPath, ["tools/build.mjs", "--stale"], source);
    run(process.execPath, ["server/dist/proto.js"], source);
    const sbom = bill(source, mtime);
    run("npm", [...install, "--omit=dev", "-w", "server"], source);
    const service = join(work, "service");
    copyRuntime(source, service);
    const command = join(work, "command");
    copyCommand(source, command);
    // The console alone has its files at the top, as a static host serves them.
    for (const paper of ["LICENSE", "CHANGELOG.md"])
      copyFileSync(join(source, paper), join(source, "dist", paper));
    for (const note of [".built", ".vite"]) rmSync(join(source, "dist", note), { recursive: true });

    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    await pack(`platform-console-${version}`, join(source, "dist"), out, mtime);
    await pack(`platform-service-${version}`, service, out, mtime);
    await pack(`platform-command-${version}`, command, out, mtime);
    copyFileSync(join(service, NOTICES), join(out, NOTICES));
    writeFileSync(join(out, `platform-console-${version}.cdx.json`), sbom);
    writeFileSync(join(out, "SHA256SUMS"), sums(out));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** In the format of `sha256sum --check`. */
const sums = (folder) =>
  readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
  const [version] = positionals;
  if (positionals.length !== 1) throw new Error("Usage: npm run release -- <version> [--out <folder>]");
  const out = resolve(values.out ?? join(root, "release"));
  // It is replaced, so it must be one that an earlier run wrote.
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, "SHA256SUMS")))
    throw new Error(`${out} has other files in it.`);
  await release(version, out);
  process.stdout.write(
    `${relative(process.cwd(), out) || basename(out)}:\n${readFileSync(join(out, "SHA256SUMS"), "utf8")}`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
