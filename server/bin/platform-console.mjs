#!/usr/bin/env node
import { existsSync } from "node:fs";

// A checkout builds what is older than its sources first. A release has no tools, and is built.
const checkout = new URL("../../tools/start.mjs", import.meta.url);
await import(existsSync(checkout) ? checkout.href : "../dist/main.js");
