import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Runs a program with its output on stderr; true if it succeeded. */
export function run(command: string, args: readonly string[]): boolean {
  process.stderr.write(`  ${[command, ...args].join(" ")}\n`);
  return spawnSync(command, args, { stdio: ["ignore", 2, 2] }).status === 0;
}

/** True where packages can be installed: on Debian and what derives from it, as root. */
export const canInstall = (): boolean => existsSync("/etc/debian_version") && process.getuid?.() === 0;

/** Installs the first of these packages that this release has; returns false if it has none of them. */
export function install(...names: string[]): boolean {
  // The package list may be older than the mirror.
  run("apt-get", ["update", "-q"]);
  return names.some((name) => run("apt-get", ["install", "-q", "-y", "--no-install-recommends", name]));
}
