import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Node cannot run TypeScript before version 22, so the service is bundled; its packages stay external.
export default defineConfig({
  // The public directory belongs to the console.
  publicDir: false,
  // It belongs to the console's packages, which are not where the service runs.
  ssr: { noExternal: ["uqr"] },
  resolve: { alias: { "~": at("../src") } },
  build: {
    ssr: true,
    rolldownOptions: {
      // The service, and the commands that `tools/run.mjs` starts.
      input: {
        main: at("./main.ts"),
        "reset-password": at("./commands/transfer/reset-password.ts"),
        seed: at("./commands/seed/main.ts"),
        bench: at("./bench/main.ts"),
        export: at("./commands/transfer/export.ts"),
        import: at("./commands/transfer/import.ts"),
        move: at("./commands/transfer/move.ts"),
        ingest: at("./commands/ingest/main.ts"),
        audit: at("./platform/audit/main.ts"),
        registry: at("./commands/registry.ts"),
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
