import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

import { appChunk } from "./tools/app-chunk.mjs";
import { minifyAgain } from "./tools/minify-again.mjs";
import { smallIcons } from "./tools/small-icons.mjs";
import { smallMantine } from "./tools/small-mantine.mjs";

const alias = { "~": fileURLToPath(new URL("./src", import.meta.url)) };

// `npm run dev` serves the console with hot reload in front of a running service.
const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8080";
const served = ["/iam", "/registry", "/ping", "/oidc", "/config.json", "/openapi.json", "/healthz"];

/** What every screen runs on. In a file of its own it compresses better, and outlives a deployment in the browser's cache. */
const LIBRARIES = new RegExp(
  [
    "/node_modules/(?:react|react-dom|scheduler|use-sync-external-store)/",
    "/@tanstack/(?:history|react-router|router-core|store|react-store|virtual-core|react-virtual)/",
    "/@tanstack/query-core/build/modern/(?!mutationObserver|queriesObserver)",
  ].join("|"),
);
/** What most screens share: in one file instead of thirty. */
const SHARED =
  /\/src\/(?:api|access|contract\/(?!registry)|parts|resource|routes\/-shell|kit\/(?!missing-part|early-))/;
/** What the app needs of packages, and lists and pages as well. */
const PACKAGES = new RegExp(
  [
    "/node_modules/(?:clsx|@mantine/hooks/esm/use-(?:color-scheme|isomorphic-effect|media-query|reduced-motion)|@primer/octicons-react/dist/render)",
    "/@tanstack/react-query/build/modern/(?!useMutation)",
    "/@mantine/core/(?:esm/core|(?:esm/components|styles)/(?:Button|Loader|Transition|UnstyledButton))",
  ].join("|"),
);
/**
 * What comes with the first drawer, dialog or page of one record: however many screens have those, no list needs them. When
 * something of it gets onto the way to a list, the budgets of `tools/visits.mjs` tell.
 */
const LATER = new RegExp(
  [
    "/src/api/(?:writes|patch|send-|lost-|look|same-value|ledger)",
    "/src/kit/(?:form/(?!drafts|dirty-paths)|dialog|return-focus|held-back-notice|definition-list|json-document|section|stale-notice)",
    "/src/resource/(?:record-screen|drawers|delete-record|use-count|use-record-form|problems)",
    "/src/parts/(?:record-page|opened-record|home-field|no-rows)",
    "/query-core/build/modern/mutationObserver|/react-query/build/modern/useMutation",
  ].join("|"),
);
/** What every page of one record is made of, and nothing else is. */
const PAGE =
  /\/src\/(?:kit\/(?:json-document|stale-notice)|parts\/(?:record-page|opened-record)|resource\/record-screen)/;
/** What every list needs, and some dialogs need parts of. */
const LIST = new RegExp(
  [
    "/src/kit/(?:list/|list-table|filters|menu|tabs)",
    "/src/resource/(?:define|filters|columns|ancestor-names|clean-address|list-screen|bulk-delete)",
    "/src/parts/(?:contains|scanned|list-tools|use-list|reach-filter|view-link|ledger/use-|use-view)",
    "/icons/ColumnsIcon",
  ].join("|"),
);

const app = appChunk({
  app: /\/src\/app\.tsx$/,
  shared: (id) => SHARED.test(id) && !LATER.test(id),
});

/** The parser of readmes runs in a worker, where there is no document; for browsers its package takes one. */
const WITHOUT_DOCUMENT = {
  "decode-named-character-reference": fileURLToPath(
    new URL("./node_modules/decode-named-character-reference/index.js", import.meta.url),
  ),
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
        smallIcons(),
        smallMantine(),
        app.plugin,
        minifyAgain(),
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
    rolldownOptions: {
      // That the second minifier takes most of a build is known, and nothing that who starts the console can mend.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // Not what the page needs before there is a session, which would bring the rest along.
          includeDependenciesRecursively: false,
          groups: [
            { name: "libraries", priority: 1, test: LIBRARIES },
            { name: "app", test: (id) => app.has(id) || PACKAGES.test(id) },
            { name: "list", minShareCount: 3, test: LIST },
            { name: "page", minShareCount: 3, test: PAGE },
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
                  "server/{access,handlers,transfer}/*.test.ts",
                  "server/store/{lists,list-rows,page-tokens}.test.ts",
                ],
                globalSetup: "server/testing/postgres-run.ts",
                testTimeout: 30_000,
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
