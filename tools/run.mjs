/**
 * Runs a program for contributors, after building it if its sources are newer: `node tools/run.mjs proto`.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { build } from "./build.mjs";

const [name, ...options] = process.argv.slice(2);
await build({ stale: true, names: ["service"] });
const program = fileURLToPath(new URL(`../server/dist/${name}.js`, import.meta.url));
const child = spawn(process.execPath, [program, ...options], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
