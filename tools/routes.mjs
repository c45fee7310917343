/**
 * Writes `src/routeTree.gen.ts`, which the types of all links come from: `node tools/routes.mjs`. `npm ci` runs it, and so
 * do builds (by the router's plugin) and `npm test`, so that it is never older than `src/routes`.
 */
import { fileURLToPath } from "node:url";

const PACKAGE = "@tanstack/router-generator";
const root = fileURLToPath(new URL("..", import.meta.url));

// `npm ci --omit=dev` runs this too: what runs the service has no tools for development, and needs no tree.
const generator = await import(PACKAGE).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !error.message.includes(PACKAGE)) throw error;
});
if (generator) {
  const { Generator, getConfig } = generator;
  await new Generator({ config: getConfig({ disableLogging: true }, root), root }).run();
}
