import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The console, lowest first: each layer imports those before it, never those after it (docs/architecture.md). */
const CONSOLE = [
  "src/contract",
  "src/config",
  "src/auth",
  "src/api",
  "src/access",
  "src/ui",
  "src/features",
  "src/resource",
  "src/screens",
  "src/shell",
  "src/routes",
  "src/app",
  // All parts on one page, for contributors: nothing imports it, and no build has it.
  "src/gallery",
];

/** The service, lowest first, with what each layer imports of those before it. */
const SERVICE: readonly (readonly [layer: string, below: readonly string[]])[] = [
  ["server/*", []],
  ["server/store", ["server/*"]],
  ["server/access", ["server/*", "server/store"]],
  ["server/oidc", ["server/*", "server/store"]],
  ["server/handlers", ["server/*", "server/store", "server/access", "server/oidc"]],
  ["server/audit", ["server/*", "server/store", "server/handlers"]],
  [
    "server/delivery",
    ["server/*", "server/store", "server/access", "server/oidc", "server/handlers", "server/audit"],
  ],
  [
    "server/http",
    ["server/*", "server/store", "server/access", "server/oidc", "server/handlers", "server/audit"],
  ],
  ["server/grpc", ["server/*", "server/access", "server/oidc", "server/handlers", "server/http"]],
  ["server/transfer", ["server/*", "server/store"]],
  ["server/seed", ["server/*", "server/store", "server/access", "server/oidc", "server/handlers"]],
  ["server/ingest", ["server/*", "server/store", "server/audit", "server/seed", "server/transfer"]],
];

/** Starts everything else, so it imports from everywhere in the service. */
const STARTS = /^server\/(?:main|start|check)$/;
const TEST =
  /\.(?:test|long|attack|bench)\.tsx?$|\/testing\/|\/testing[-.\w]*$|^server\/(?:attacks|bench|conformance|durability)\//;

interface Import {
  readonly file: string;
  /** A path from the root without extension, or the name of a package. */
  readonly source: string;
}

/** All imports of `text`, static and dynamic, types included. */
function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text);
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const literal = text.slice(start, end);
      return /^["'`][^$]*["'`]$/.test(literal) ? [literal.slice(1, -1)] : [];
    }),
  ];
  return found.map((source) => ({ file, source: resolve(file, source) }));
}

function resolve(file: string, source: string): string {
  const path = source.replace(/^~\//, "src/").replace(/\.(?:tsx?|mjs|js)$/, "");
  return path.startsWith(".") ? posix.join(dirname(file), path) : path;
}

const isBelow = (path: string, layer: string): boolean =>
  layer.endsWith("/*")
    ? dirname(path) === layer.slice(0, -2) && !STARTS.test(path)
    : path === layer || path.startsWith(`${layer}/`);

/** Why `file` may not import `source`; undefined if it may. */
function objection({ file, source }: Import): string | undefined {
  const path = file.replace(/\.tsx?$/, "");
  if (file.startsWith("src/")) return objectionInConsole(file, path, source);
  if (file.startsWith("e2e/"))
    return /^src\/(?!contract\/)|^server\/(?!seed\/)/.test(source)
      ? "browser tests import only the contract and the seed"
      : undefined;
  const isContract = isBelow(source, "src/contract");
  // Tests compare verdicts: what the console makes of what the service stores, and writes for it to read.
  const isCompared =
    /^server\/ingest\/[\w-]+\.test\.ts$/.test(file) && isBelow(source, "src/features/advisories");
  if (source.startsWith("src/") && !isContract && !isCompared)
    return "of src/, the service imports only the contract";
  if (TEST.test(file) || STARTS.test(path)) return undefined;
  if (source.startsWith("server/testing/")) return "only tests import what is for tests";
  const [, below] = SERVICE.find(([layer]) => isBelow(path, layer)) ?? [];
  const [target] = SERVICE.find(([layer]) => isBelow(source, layer)) ?? [];
  const own = SERVICE.find(([layer]) => isBelow(path, layer))?.[0];
  if (STARTS.test(source)) return "nothing imports what starts the service";
  return below && target && target !== own && !below.includes(target) ? "against the direction" : undefined;
}

function objectionInConsole(file: string, path: string, source: string): string | undefined {
  if (/^server\/|^platform-service/.test(source)) return "the console never imports the service";
  if (TEST.test(file)) return undefined;
  if (source === "zod") return "the browser loads zod/mini";
  if (/^src\/contract(?:\/index)?$/.test(source))
    return "it holds every resource: import the one that is needed";
  const layer = CONSOLE.findIndex((name) => isBelow(path, name));
  const target = CONSOLE.findIndex((name) => isBelow(source, name));
  const name = CONSOLE[layer];
  if (source === "src/routeTree.gen" && name !== "src/app") return "only the app imports the routes";
  if (name === "src/contract" && target < 0 && source !== "zod/mini")
    return "the contract imports only zod/mini and itself";
  if (name === "src/ui" && target >= 0 && target < layer && !/^src\/contract\/[\w-]+$/.test(source))
    return "components know no resource";
  return target > layer ? "against the direction" : undefined;
}

const files = ["src", "server", "e2e"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\/|routeTree\.gen|\.d\.ts$/.test(name),
    )
    .map((name) => `${folder}/${name}`),
);

test("imports go in one direction", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const wrong = files
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))
    .flatMap((one) => {
      const reason = objection(one);
      return reason === undefined ? [] : [`${one.file} imports ${one.source}: ${reason}`];
    });
  expect(wrong).toEqual([]);
});

test.each([
  ["src/api/client/x.ts", 'import "~/screens/groups/data"', "against the direction"],
  ["src/api/client/x.ts", 'export { a } from "../../features/x"', "against the direction"],
  ["src/screens/groups/x.tsx", 'const a = () => import("~/shell/x")', "against the direction"],
  ["src/ui/x.ts", 'import type { A } from "~/contract/iam/groups"', "components know no resource"],
  ["src/ui/x.ts", 'import { a } from "../api/x"', "components know no resource"],
  ["src/contract/iam/x.ts", 'import "react"', "the contract imports only zod/mini and itself"],
  ["src/auth/x.ts", 'import { z } from "zod"', "the browser loads zod/mini"],
  ["src/routes/x.tsx", 'import "~/contract"', "it holds every resource: import the one that is needed"],
  ["src/features/x.test.ts", 'import "../../server/store/sql"', "the console never imports the service"],
  ["server/store/x.ts", 'import "../handlers/call"', "against the direction"],
  ["server/config.ts", 'import "./store/sql"', "against the direction"],
  ["server/http/x.ts", 'import "../delivery/send"', "against the direction"],
  ["server/http/x.ts", 'import "~/ui/theme"', "of src/, the service imports only the contract"],
  ["server/handlers/x.ts", 'import "../testing/app"', "only tests import what is for tests"],
  ["server/http/x.ts", 'import "../main"', "nothing imports what starts the service"],
  ["e2e/x.spec.ts", 'import "../server/store/sql"', "browser tests import only the contract and the seed"],
])("%s: %s", (file, text, reason) => {
  expect(importsOf(file, text).map(objection)).toEqual([reason]);
});

test.each([
  ["src/screens/groups/x.tsx", 'import "~/resource/list-screen"'],
  ["src/ui/x.ts", 'import "~/contract/status"'],
  ["src/app/app.tsx", 'import "~/routeTree.gen"'],
  ["server/handlers/x.ts", 'import "~/contract/iam/groups"'],
  ["server/main.ts", 'import "./http/server"'],
  ["e2e/x.spec.ts", 'import "../server/seed/demo-data"'],
])("%s: %s is allowed", (file, text) => {
  expect(importsOf(file, text).map(objection)).toEqual([undefined]);
});
