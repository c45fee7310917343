import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Written by the build itself, so that its time says nothing about a change by hand. */
const GENERATED = new Set(["routeTree.gen.ts", "dist", "node_modules"]);

/**
 * The newest modification below a path, in milliseconds; directories count, since a removed file changes only those.
 * @param {string} path
 * @returns {number} 0 when there is no such path
 */
export function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const below = readdirSync(path).filter((name) => !GENERATED.has(name));
  // The directory that holds the generated file changes with it; what is removed beside it shows in the others.
  const own = readdirSync(path).some((name) => GENERATED.has(name)) ? 0 : stat.mtimeMs;
  return Math.max(own, ...below.map((name) => newest(join(path, name))));
}

const digest = (path) =>
  existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";

/**
 * Whether a build is older than its sources. The lock file counts by content: another version of a package is another
 * build, whatever the time of the file.
 * @param {{ stamp: string, sources: string[], lock: string }} target
 */
export function isStale({ stamp, sources, lock }) {
  if (!existsSync(stamp)) return true;
  const built = JSON.parse(readFileSync(stamp, "utf8"));
  return built.lock !== digest(lock) || sources.some((source) => newest(source) > built.at);
}

/**
 * Records a build that began at `at`: what changed while it ran is newer than the build.
 * @param {{ stamp: string, lock: string }} target
 * @param {number} at milliseconds
 */
export const writeStamp = ({ stamp, lock }, at) =>
  writeFileSync(stamp, JSON.stringify({ at, lock: digest(lock) }));
