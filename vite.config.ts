import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { kinds } from "./src/contract/kinds.ts";

const alias = { "~": fileURLToPath(new URL("./src", import.meta.url)) };

// `npm run dev` serves the console with hot reload in front of a running service.
const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8080";
const served = [
  ...new Set(kinds.map(({ area }) => `/${area}`)),
  "/advisory",
  "/auth",
  // The console has its own addresses below /libraries.
  "^/libraries/v\\d",
  "/ping",
  "/oidc",
  "/config.json",
  "/openapi.json",
  "/healthz",
];

/** The parser of readmes runs in a worker, where there is no document; for browsers its package takes one. */
const WITHOUT_DOCUMENT = {
  "decode-named-character-reference": fileURLToPath(
    new URL("./node_modules/decode-named-character-reference/index.js", import.meta.url),
  ),
};

/**
 * Has browsers that know this comment (Chromium) compile a file while it arrives, rather than function by function while somebody
 * waits for the first rows. It counts at the very top alone, where Vite puts a line of its own before any banner.
 */
const compiledOnArrival = (files: RegExp): Plugin => ({
  name: "compiled-on-arrival",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && files.test(chunk.name))
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
    },
  },
});

/** Names what the first file asks for at once in the page itself: one round over the line less. */
const preloadStart: Plugin = {
  name: "preload-start",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const start = chunks.find(({ name }) => name === "start");
      const files = start ? [start.fileName, ...start.imports] : [];
      return files
        .filter((file) => !chunks.some(({ fileName, isEntry }) => isEntry && fileName === file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${file}` },
          injectTo: "head" as const,
        }));
    },
  },
};

/** Tests of what takes a document. */
const DOM = "src/**/*.dom.test.{ts,tsx}";

/** Runs before each file. */
const FRESH = "tools/fresh-file.ts";

export default defineConfig({
  // The test projects below have a configuration of their own, and no test needs the route tree written.
  plugins: process.env["VITEST"]
    ? []
    : [
        tanstackRouter({ target: "react", autoCodeSplitting: true, routeFileIgnorePrefix: "-" }),
        react(),
        compiledOnArrival(/^(?:start|react|app|frame)$/),
        preloadStart,
      ],
  resolve: { alias: { ...alias, ...WITHOUT_DOCUMENT } },
  // Assets follow the <base> of index.html, so that dist/ works under any path.
  base: "./",
  build: {
    target: "es2023",
    // A data: address would need a wider policy than default-src 'self'.
    assetsInlineLimit: 0,
    manifest: true,
    // What lacks modulepreload only loads a little later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The budgets of tools/visits.mjs say what is too much.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // A person who starts the console cannot act on how long a plugin takes.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // The first file stays small, and what finds out about the session apart from what comes after.
            { name: "page", tags: ["$initial"], priority: 2 },
            { name: "start", test: /\/src\/app\/start\.ts$/, priority: 1 },
            // Apart, so that it is compiled while the rest of the app arrives.
            { name: "react", test: /\/node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
            // All that the app imports in one file: compresses by 12 kB better than what is shared by some parts each.
            { name: "app", test: /\/src\/app\/app\.tsx$/ },
            // All that lists and pages of records import, in one: half the requests, and every room after the first has it.
            {
              name: "frame",
              test: /\/src\/resource\/(?:list-screen|list-filters|record-screen|filters)\.tsx?$|\/src\/ui\/(?:table\/uid-column|display\/badge|layout\/tabs)\.tsx$/,
            },
            // Small parts of every page of a record, in one: each of its own costs more than it holds.
            {
              name: "facts",
              test: /\/src\/ui\/(?:display\/(?:code|definition-list|fact-table|section|tiles|visible)|feedback\/failed-part)\.tsx?$/,
            },
            // What the home page and those of images know of vulnerabilities.
            {
              name: "reports",
              test: /\/src\/features\/vulnerability-reports\/(?:images|links|queries)\.ts$/,
            },
            // What the definitions of repos and tags have in common.
            {
              name: "registry",
              test: /\/src\/screens\/(?:repos\/(?:data|head)|tags\/(?:data|parts))\.tsx?$|\/src\/features\/registry\/repo-(?:links|names)\.ts$/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: true }])),
  },
  test: {
    // The default leaves a core to an editor, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.{ts,mjs}"],
          exclude: [DOM],
          // As those of the service below: half of the time went into loading the same packages for each file anew.
          isolate: false,
          setupFiles: FRESH,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "dom",
          include: [DOM],
          environment: "jsdom",
          isolate: false,
          setupFiles: FRESH,
          // After the others: where the two take turns, each turn ends a worker, with all that it has loaded.
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          name: "service",
          include: ["server/**/*.test.ts"],
          // Two fifths of the work went into loading the same packages, and compiling the same database, for each file anew.
          isolate: false,
          globalSetup: "server/testing/template.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      // The tests of what runs on either database, once more on the other one: `npm run test:long`.
      ...(process.env["TEST_LONG"] === "1"
        ? [
            {
              resolve: { alias },
              test: {
                name: "postgres",
                include: [
                  "server/{access,conformance,handlers,transfer}/*.test.ts",
                  "server/store/{lists,list-rows,page-tokens}.test.ts",
                ],
                globalSetup: "server/testing/postgres-run.ts",
                testTimeout: 30_000,
                hookTimeout: 60_000,
              },
            },
            // The laws of the contract once more over gRPC, wherever it can say what a test asks; on PostgreSQL as well.
            {
              resolve: { alias },
              test: {
                name: "grpc",
                include: ["server/conformance/*.test.ts"],
                globalSetup: "server/testing/postgres-run.ts",
                env: { TRANSPORT: "grpc" },
                testTimeout: 60_000,
                hookTimeout: 60_000,
              },
            },
            // What one account, or nobody at all, can cost everybody else: bounded, over loopback.
            {
              resolve: { alias },
              test: {
                name: "attacks",
                include: ["server/attacks/**/*.attack.ts"],
                testTimeout: 300_000,
                hookTimeout: 60_000,
                fileParallelism: false,
              },
            },
            // What takes the built service as a process, to be killed.
            {
              resolve: { alias },
              test: {
                name: "durability",
                include: ["server/**/*.long.ts"],
                testTimeout: 600_000,
                hookTimeout: 60_000,
                fileParallelism: false,
              },
            },
          ]
        : []),
    ],
  },
});
