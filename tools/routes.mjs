/**
 * Writes `src/routeTree.gen.ts`, which the types of all links come from: `node tools/routes.mjs`. `npm ci` runs it, and so
 * do builds (by the router's plugin) and `npm test`, so that it is never older than `src/routes`.
 */
import { fileURLToPath } from "node:url";
import { Generator, getConfig } from "@tanstack/router-generator";

const root = fileURLToPath(new URL("..", import.meta.url));
await new Generator({ config: getConfig({ disableLogging: true }, root), root }).run();
