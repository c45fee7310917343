import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// Node runs no TypeScript before version 22: the service is bundled, its packages stay outside.
export default defineConfig({
  // What stands there is the console's.
  publicDir: false,
  resolve: { alias: { "~": fileURLToPath(new URL("../src", import.meta.url)) } },
  build: {
    ssr: fileURLToPath(new URL("./main.ts", import.meta.url)),
    outDir: fileURLToPath(new URL("./dist", import.meta.url)),
    target: "node20",
    emptyOutDir: true,
  },
});
