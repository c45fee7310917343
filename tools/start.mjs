import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// Only what changed since the last build, and in a process of its own: what a build takes of memory is given back.
const builder = fileURLToPath(new URL("./build.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [builder, "--stale"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

await import("../server/dist/main.js");
