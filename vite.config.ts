import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";

import manifest from "./package.json" with { type: "json" };
import { kinds } from "./contract/kinds.ts";
import { notices } from "./tools/notices.mjs";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const alias = { "~": at("./src") };
/** Milliseconds after which a test counts as hanging: far above what one takes on a machine that is busy with other things. */
const HANGS = 240_000;

// `npm run dev` serves the console with hot reload in front of a running service.
const service = process.env["SERVICE_URL"] ?? "http://127.0.0.1:8080";
const served = [
  ...new Set(kinds.map(({ area }) => `/${area}`)),
  "/advisory",
  "/auth",
  // The console has its own routes below /libraries and /snapshots.
  "^/libraries/v\\d",
  "^/snapshots/v\\d",
  "/ping",
  "/sts",
  "/oidc",
  "/config.json",
  "/openapi.json",
  "/livez",
  "/readyz",
  "/healthz",
];

/** The readme parser runs in a worker, without a document; the browser build of this package needs one. */
const WITHOUT_DOCUMENT = {
  "decode-named-character-reference": at("./node_modules/decode-named-character-reference/index.js"),
};

/** Preloads the `start` and `app` chunks and their static imports from the page itself, which saves a round trip. */
const preloadStart: Plugin = {
  name: "preload-start",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const files = new Set<string>();
      const add = (file: string): void => {
        if (files.has(file)) return;
        files.add(file);
        chunks.find(({ fileName }) => fileName === file)?.imports.forEach(add);
      };
      for (const { name, fileName } of chunks) if (name === "start" || name === "app") add(fileName);
      return [...files]
        .filter((file) => !chunks.some(({ fileName, isEntry }) => isEntry && fileName === file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", href: `./${file}`, crossorigin: true },
          injectTo: "head" as const,
        }));
    },
  },
};

/** Ships the licenses of all packages, as they demand; "About" leads to them. */
const thirdPartyNotices: Plugin = {
  name: "third-party-notices",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "third-party-notices.txt", source: notices(at(".")) });
  },
};

/** "chrome >= 123" of package.json as esbuild's "chrome123". */
const browsers = manifest.browserslist.map((query) => query.replace("ios_saf", "ios").replace(" >= ", ""));

/** `npm run dev` shows every shared part at /__parts. No build has it: nothing that is built imports src/gallery. */
const gallery: Plugin = {
  name: "gallery",
  apply: "serve",
  configureServer({ middlewares, transformIndexHtml }) {
    middlewares.use("/__parts", async (_request, response, next) => {
      try {
        const page = readFileSync(new URL("./src/gallery/index.html", import.meta.url), "utf8");
        response.setHeader("content-type", "text/html");
        response.end(await transformIndexHtml("/src/gallery/index.html", page));
      } catch (error) {
        next(error);
      }
    });
  },
};

type Naming = Extract<Rolldown.CodeSplittingGroup["name"], (...args: never[]) => unknown>;

/** Modules behind an `import()` that bring a large library: a chunk each. */
const HEAVY = /\/(chart|formatted-readme|leak-report|operation|qr-code|scored|signature|steps|tester)\.tsx?$/;
/** The folder of a screen's route, or of what is behind an `import()`. */
const folderOf = (entry: string): string =>
  (HEAVY.exec(entry) ?? /\/src\/(?:domains\/[\w-]+|[\w-]+)\/([\w-]+)/.exec(entry))?.[1] ?? "page";
/** What a module that several folders need belongs to: a package, a domain, or a layer. */
const ownerOf = (id: string): string =>
  /.*\/(?:node_modules|src\/domains|src)\/(@?[\w.-]+)/.exec(id)?.[1] ?? "contract";

/**
 * The folder is the chunk: of a screen, with what only that needs, and of what is loaded on demand (`acts`). What several screens
 * need is a chunk for each domain and one for everything else; what else several folders need, also for each package and layer.
 */
const folders =
  (of: "screens" | "acts", by: "one" | "many"): Naming =>
  (id, context) => {
    const users = new Set([id]);
    for (const each of users) context.getModuleInfo(each)?.importers.forEach((user) => users.add(user));
    const entries = [...users].filter((each) => context.getModuleInfo(each)?.dynamicImporters.length);
    // What the app has, which has a group of its own, and index files of packages.
    if (entries.some((each) => each.includes("/src/app/"))) return null;
    const all = new Set(entries.map(folderOf));
    const screens = new Set(entries.filter((each) => each.includes("/src/routes/")).map(folderOf));
    if (by === "one")
      return all.size === 1 && (of === "screens") === screens.size > 0 ? `${[...all][0]}-${of}` : null;
    const ofDomain = id.includes("/src/domains/");
    const shared = screens.size > 1 || (screens.size > 0 && !ofDomain);
    if (all.size < 2 || (of === "screens") !== shared) return null;
    // Of one screen and one thing on demand: in the chunk of all writes, every screen would load it.
    if (screens.size === 1 && all.size === 2) return `${[...all].toSorted().join("-")}-shared`;
    return `${of === "acts" || ofDomain ? ownerOf(id) : screens.size > 1 ? "all" : "writes"}-shared-${of}`;
  };

/** Tests that need a DOM. */
const DOM = "src/**/*.dom.test.{ts,tsx}";

/** Tests of the command against a service. */
const COMMAND = "packages/command/**/*.service.test.ts";

/** Runs before each test file. */
const FRESH = "tools/fresh-file.ts";
const STRICT = "tools/strict-rendering.ts";

/** Tests of the embedded database itself, and of what depends on its files. */
const EMBEDDED = "server/**/*.embedded.test.ts";

/** Vitest empties stylesheets; the sign-in pages take their values from these. */
const css = { include: [/\/ui\/(?:theme|fonts)\.css/] };

/** A file for tools/test.mjs, which reads it. */
const { TEST_REPORT: report } = process.env;

export default defineConfig({
  // The test projects below have their own configuration, and tests do not need the route tree regenerated.
  plugins: process.env["VITEST"]
    ? []
    : [
        tanstackRouter({
          // A loader is a few lines about the data of its screen: not worth a file of its own.
          codeSplittingOptions: { defaultBehavior: [["loader", "component"]] },
        }),
        react(),
        preloadStart,
        gallery,
        thirdPartyNotices,
      ],
  resolve: { alias: { ...alias, ...WITHOUT_DOCUMENT } },
  // Assets follow the <base> of index.html, so that dist/ works under any path.
  base: "./",
  build: {
    target: browsers,
    // data: URLs would need a wider policy than default-src 'self'.
    assetsInlineLimit: 0,
    manifest: true,
    // Browsers without modulepreload just load a little later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // e2e/console/first-visit.spec.ts has the limits.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Plugin timings are noise to people who build the console.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // A group also takes what its modules import, unless one of higher priority has it.
          groups: [
            // Keeps the entry small, and the session code separate from what loads after it.
            { name: "page", tags: ["$initial"], priority: 9 },
            // Separate, so that it compiles while the rest of the app downloads.
            { name: "framework", test: /\/node_modules\/(?:react|react-dom|scheduler)\//, priority: 8 },
            { name: "start", test: /\/src\/app\/start\.ts$/, priority: 7 },
            // Everything around a screen, and the frame of lists and records.
            {
              name: "app",
              test: /\/src\/app\/app\.tsx$|\/src\/frame\/(?:list\/(?:list-screen|list-filters|filters)|record\/record-screen)\.tsx?$|\/use-mantine-color-scheme\./,
              priority: 6,
            },
            {
              name: "libraries",
              test: /\/node_modules\/(?:lucide-react|@tanstack)\//,
              minShareCount: 2,
              priority: 6,
            },
            {
              name: "inputs",
              test: /\/@mantine\/.*\/(?:Input|InputBase|TextInput|Textarea|NativeSelect|create-safe-context|use-uncontrolled)[/.]/,
              priority: 6,
            },
            {
              name: "forms",
              test: /\/node_modules\/react-hook-form\/|\/ui\/form\/use-resource-form\.ts$/,
              priority: 6,
              // It imports rules that every screen has.
              includeDependenciesRecursively: false,
            },
            {
              // Home asks by their filters, and must not load the screens of these lists with them.
              name: "checked-lists",
              test: /\/src\/domains\/(?:(?:registry\/tags|access\/group-invites|access\/role-bindings)\/data|access\/grants\/sent-invites)\.ts$/,
              priority: 6,
              includeDependenciesRecursively: false,
            },
            {
              // What a screen has and what opens over others: home needs none of them.
              name: (id) =>
                /\/contract\/(?:iam|registry|audit)\/(access|account-associations|identity-providers|guard-rails|eligible-grants|access-reviews|retention)\.ts$/.exec(
                  id,
                )?.[1] ?? null,
              priority: 6,
              includeDependenciesRecursively: false,
            },
            {
              // Repos and groups show their rule, and must not load the screen of retention with it.
              name: "retention-fact",
              test: /\/src\/domains\/registry\/retention-fact\//,
              priority: 5,
              includeDependenciesRecursively: false,
            },
            {
              // Records show their history, and must not load the screens of the log with it.
              name: "log",
              test: /\/src\/domains\/audit\/(?:log\/|proof\/use-proof\.tsx$)/,
              priority: 5,
              includeDependenciesRecursively: false,
            },
            { name: folders("screens", "many"), priority: 5, includeDependenciesRecursively: false },
            { name: folders("screens", "one"), priority: 4 },
            // Menus, tooltips, toasts: with the first interaction.
            { name: "layers", test: /\/src\/ui\/overlay\/layers\.ts$/, priority: 3 },
            { name: folders("acts", "many"), priority: 2, includeDependenciesRecursively: false },
            { name: folders("acts", "one"), priority: 1 },
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
    ...(report && { reporters: ["dot", ["json", { outputFile: report }]] }),
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          css,
          include: ["{contract,packages,src}/**/*.test.{ts,tsx}", "tools/**/*.test.{ts,mjs}"],
          exclude: [DOM, COMMAND],
          // Like the service tests below: half of the time went into loading the same packages again for each file.
          isolate: false,
          setupFiles: FRESH,
          globalSetup: "tools/curl.ts",
          testTimeout: HANGS,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "dom",
          include: [DOM],
          environment: "jsdom",
          isolate: false,
          setupFiles: [FRESH, STRICT],
          testTimeout: HANGS,
          // After the unit tests: alternating between projects restarts workers, which then reload all packages.
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias },
        test: {
          name: "service",
          css,
          include: ["server/**/*.test.ts", COMMAND],
          exclude: [EMBEDDED],
          // Two fifths of the time went into loading the same packages again for each file.
          isolate: false,
          globalSetup: "server/testing/postgres-run.ts",
          testTimeout: HANGS,
          hookTimeout: HANGS,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "embedded",
          css,
          include: [EMBEDDED],
          isolate: false,
          // Few files: loading the packages in a second worker takes longer.
          fileParallelism: false,
          globalSetup: "server/testing/template.ts",
          testTimeout: HANGS,
          hookTimeout: HANGS,
          // Not beside the other tests of the service, which share packages with each other.
          sequence: { groupOrder: 1 },
        },
      },
      // Clients that are generated from the API's document: installs their generators.
      {
        resolve: { alias },
        test: {
          name: "clients",
          include: ["tools/*.clients.ts"],
          globalSetup: "server/testing/postgres-run.ts",
          testTimeout: HANGS,
          hookTimeout: HANGS,
        },
      },
      ...(process.env["TEST_LONG"] === "1"
        ? [
            // Tests of code that supports both databases, again on the other one.
            {
              resolve: { alias },
              test: {
                name: "pglite",
                css,
                include: [
                  "server/{conformance,domains,commands/transfer,platform/{access,audit,scim,standard}}/**/*.test.ts",
                  "server/platform/store/lists/{lists,list-rows,page-tokens}.test.ts",
                ],
                exclude: [EMBEDDED],
                isolate: false,
                globalSetup: "server/testing/template.ts",
                testTimeout: HANGS,
                hookTimeout: HANGS,
              },
            },
            // The contract's conformance tests again over gRPC, if it can express the request; on PostgreSQL as well.
            {
              resolve: { alias },
              test: {
                name: "grpc",
                css,
                include: ["server/conformance/*.test.ts"],
                globalSetup: "server/testing/postgres-run.ts",
                env: { TRANSPORT: "grpc" },
                testTimeout: HANGS,
                hookTimeout: HANGS,
              },
            },
            // Bounds what one account, or an anonymous client, can cost everyone else; over loopback.
            {
              resolve: { alias },
              test: {
                name: "attacks",
                include: ["server/attacks/**/*.attack.ts"],
                globalSetup: "tools/built.ts",
                testTimeout: 300_000,
                hookTimeout: 180_000,
                fileParallelism: false,
              },
            },
            // Tests that run the built service as a process and kill it.
            {
              resolve: { alias },
              test: {
                name: "durability",
                include: ["{packages,server,tools}/**/*.long.ts"],
                globalSetup: "tools/built.ts",
                testTimeout: 600_000,
                hookTimeout: HANGS,
                fileParallelism: false,
              },
            },
          ]
        : []),
    ],
  },
});
