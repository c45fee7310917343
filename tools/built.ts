import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A global setup: builds what is older than its sources, in its own process, because Vite changes the environment. */
export default function build(): void {
  const program = fileURLToPath(new URL("build.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [program, "--stale"], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("The build failed");
}
