import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// Builds only what changed, in a separate process, which frees the build's memory.
const builder = fileURLToPath(new URL("./build.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [builder, "--stale"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

await import("../server/dist/main.js");
