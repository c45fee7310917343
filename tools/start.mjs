/** Runs a command of the service after building what is older than its sources: `node tools/start.mjs [<command> ...]`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [command = "start"] = process.argv.slice(2);
// In a separate process, which frees the build's memory. The console is for who is served.
const builder = fileURLToPath(new URL("./build.mjs", import.meta.url));
const names = command === "start" ? [] : ["service"];
const { status } = spawnSync(process.execPath, [builder, "--stale", ...names], {
  // Standard output belongs to the command.
  stdio: ["ignore", 2, 2],
});
if (status !== 0) process.exit(status ?? 1);

await import("../server/dist/main.js");
