import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Written by the build itself, so their times do not indicate an edit. */
const GENERATED = new Set(["routeTree.gen.ts", "dist", "node_modules"]);

/**
 * Returns the newest modification time below a path, in ms. Includes directories, since removing a file changes only
 * its directory.
 * @param {string} path
 * @returns {number} 0 if the path does not exist
 */
export function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const below = readdirSync(path).filter((name) => !GENERATED.has(name));
  // Writing a generated file changes its directory too, so that time is ignored.
  const own = readdirSync(path).some((name) => GENERATED.has(name)) ? 0 : stat.mtimeMs;
  return Math.max(own, ...below.map((name) => newest(join(path, name))));
}

const digest = (path) =>
  existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";

/**
 * True if a build is older than its sources. Compares the lock file by content: another version of a package needs
 * another build, whatever the file's time.
 * @param {{ stamp: string, sources: string[], lock: string }} target
 */
export function isStale({ stamp, sources, lock }) {
  if (!existsSync(stamp)) return true;
  const built = JSON.parse(readFileSync(stamp, "utf8"));
  return built.lock !== digest(lock) || sources.some((source) => newest(source) > built.at);
}

/**
 * Records a build that began at `at`: files that changed while it ran count as newer.
 * @param {{ stamp: string, lock: string }} target
 * @param {number} at milliseconds
 */
export const writeStamp = ({ stamp, lock }, at) =>
  writeFileSync(stamp, JSON.stringify({ at, lock: digest(lock) }));
