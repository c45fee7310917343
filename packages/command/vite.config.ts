import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** A program as one file that runs with nothing installed; tools/build.mjs builds each by itself. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    rolldownOptions: {
      output: { entryFileNames: "[name].mjs", codeSplitting: false, banner: "#!/usr/bin/env node" },
    },
    outDir: fileURLToPath(new URL("./dist", import.meta.url)),
    target: "node20",
    emptyOutDir: false,
  },
});
