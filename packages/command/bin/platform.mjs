#!/usr/bin/env node
import { existsSync } from "node:fs";

// A checkout builds what is older than its sources first. A release has the built file alone.
const builder = new URL("../../../tools/build.mjs", import.meta.url);
if (existsSync(builder)) await (await import(builder.href)).build({ stale: true, names: ["command"] });
await import("../dist/platform.mjs");
