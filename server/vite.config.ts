import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Node cannot run TypeScript before version 22, so the service is bundled; its packages stay external.
export default defineConfig({
  // The public directory belongs to the console.
  publicDir: false,
  // They belong to the console's packages, which are not where the service runs.
  ssr: { noExternal: ["ae-cvss-calculator", "uqr"] },
  resolve: { alias: { "~": at("../src") } },
  build: {
    ssr: true,
    rolldownOptions: {
      // The service with its commands, and programs for contributors, which no release has (tools/runtime.mjs).
      input: {
        main: at("./main.ts"),
        bench: at("./bench/main.ts"),
        proto: at("./platform/grpc/write.ts"),
        "engine-thread": at("./platform/store/engine-thread.mjs"),
      },
      output: {
        // The thread is next to the code that starts it, here as in the sources.
        entryFileNames: ({ name }) => (name === "engine-thread" ? "assets/[name].mjs" : "[name].js"),
      },
    },
    outDir: at("./dist"),
    target: "node20",
    emptyOutDir: true,
  },
});
