import { build } from "./build.mjs";

// Only what changed since the last build: a second start takes no longer than the service itself.
await build({ stale: true });
await import("../server/dist/main.js");
