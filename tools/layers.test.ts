import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { expect, test } from "vitest";

import { kinds } from "../contract/kinds";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Lowest first: each layer imports itself and those before it in its program (docs/architecture.md). */
const LAYERS = {
  src: [
    "contract",
    "packages/client",
    "src/config",
    "src/store",
    "src/auth",
    "src/api",
    "src/ui",
    "src/frame",
    "src/domains",
    "src/shell",
    "src/routes",
    "src/routeTree.gen",
    "src/app",
    // All parts on one page, for contributors: nothing imports it, and no build has it.
    "src/gallery",
  ],
  packages: ["contract", "packages/client", "packages/command"],
  server: [
    "server/platform/store/migrations",
    // Files directly in the folder.
    "server/*",
    // And the tables of the domains.
    "server/platform/store",
    "server/platform/mail",
    "server/platform/access",
    "server/platform/oidc",
    "server/platform/registry",
    "server/platform/scim",
    "server/platform/standard",
    "server/domains",
    "server/platform/audit",
    "server/platform/observe",
    "server/platform/http",
    "server/platform/grpc",
    "server/platform/delivery",
    "server/commands/transfer",
    "server/commands/backup",
    "server/commands/seed",
    "server/commands/ingest",
    "server/commands/registry",
    "server/main",
  ],
} as const;

/** SQL of the domains, which the platform reads too: who may what is in tables. */
const TABLES = /^server\/domains\/(?:(?:[\w-]+\/){1,2}[\w-]+\.table|tables)$/;
/** Files that put everything together: the highest layer of the service. */
const STARTS = /^server\/(?:main|service-commands|start|check)$/;
const TEST =
  /\.(?:test|long|attack|bench)\.tsx?$|\/testing\/|\/testing[-.\w]*$|^(?:e2e|server\/(?:attacks|bench|conformance|durability))\//;

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
  const path = source
    .replace(/^~\//, "src/")
    .replace(/^platform-contract$/, "contract/index")
    .replace(/^platform-contract\//, "contract/")
    .replace(/^platform-client$/, "packages/client/client")
    .replace(/^platform-client\//, "packages/client/")
    .replace(/\.(?:tsx?|mjs|js)$/, "");
  return path.startsWith(".") ? posix.join(dirname(file), path) : path;
}

const TYPE = /^export (?:declare )?(?:interface|type|class|enum) (\w+)/gm;
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, "");

const layersOf = (path: string): readonly string[] =>
  LAYERS[path.startsWith("server/") ? "server" : path.startsWith("packages/") ? "packages" : "src"];

/** The place of a path among the layers of its program, or of another one, from 0; -1 if it has none. */
function layerOf(path: string, layers = layersOf(path)): number {
  if (STARTS.test(path)) return layers.indexOf("server/main");
  if (TABLES.test(path)) return layers.indexOf("server/platform/store");
  return layers.findIndex((layer) =>
    layer.endsWith("/*")
      ? dirname(path) === layer.slice(0, -2)
      : path === layer || path.startsWith(`${layer}/`),
  );
}

interface Rule {
  readonly from: RegExp;
  readonly not: RegExp;
  readonly why: string;
  /** Tests can import from every layer of their own program, and what is for tests, but not against these. */
  readonly forTests?: true;
}

/** What a file cannot import although its layer comes later. */
const RULES: readonly Rule[] = [
  {
    from: /^src\//,
    not: /^server\/|^platform-service/,
    why: "the console never imports the service",
    forTests: true,
  },
  { from: /^src\//, not: /^zod$/, why: "the browser loads zod/mini" },
  {
    from: /^src\//,
    not: /^contract\/index$/,
    why: "it holds every resource: import the one that is needed",
  },
  {
    from: /^contract\//,
    not: /^(?!contract\/|zod\/mini$)/,
    why: "the contract imports only zod/mini and itself",
  },
  {
    from: /^packages\//,
    not: /^(?:src|server|e2e)\//,
    why: "packages stand alone",
  },
  {
    from: /^packages\/client\//,
    not: /^(?!contract\/|packages\/client\/|zod\/mini$)/,
    why: "the client imports only zod/mini, the contract and itself: it also runs in the browser",
  },
  {
    from: /^src\//,
    not: /^packages\/(?:client\/client$|command\/)/,
    why: "the console has a transport of its own (src/api/client)",
  },
  {
    from: /^server\//,
    not: /^packages\//,
    why: "the service calls no API of its own",
  },
  {
    from: /^src\/ui\//,
    not: /^src\/(?!ui\/|store$)|^contract\/[\w-]+\//,
    why: "components know no resource",
  },
  {
    from: /^server\//,
    not: /^src\/(?!ui\/(?:theme|fonts)\.css\?raw$)/,
    why: "the service never imports the console",
    forTests: true,
  },
  { from: /^server\//, not: /\/testing\//, why: "only tests import what is for tests" },
  {
    from: /^server\/platform\/store\/migrations\//,
    not: /^(?!server\/platform\/store\/migrations\/)/,
    why: "migrations are frozen",
  },
  {
    from: /^server\/(?!platform\/store\/migrations\/)/,
    not: /^server\/platform\/store\/migrations\/(?!index$|migration$)/,
    why: "migrations are frozen",
  },
  {
    from: /^e2e\//,
    not: /^src\/|^server\/(?!commands\/seed\/|testing\/(?:mail-server|registry|upstream)$)/,
    why: "browser tests import only the contract, the seed, and the mail server, registry and issuer of tests",
    forTests: true,
  },
];

/** Which domain of the console may import another one, and why. */
const PAIRS: Readonly<Record<string, string>> = {
  "access audit": "a review shows what the log knows of a grant",
  "access identities": "people are identities",
  "audit access": "access on a date is about identities and roles",
  "audit registry": "an entry says tiers in words",
  "federation access": "a provider gives roles",
  "identities access": "an identity's page says what it may do",
  "identities registry": "an identity's page says what it pulls",
  "organization access": "the page of a group shows who has access",
  "registry identities": "a repo's menu makes a pull token",
  "registry access": "a repo shows who can pull",
  "registry vulnerabilities": "a tag shows what is known of its packages",
  "vulnerabilities registry": "a verdict names repos and tags",
};

const domainOf = (path: string): string | undefined => /^src\/domains\/([\w-]+)\//.exec(path)?.[1];

/** Tests compare what the console makes of a file with what the service reads from it. */
const isCompared = ({ file, source }: Import): boolean =>
  /^server\/commands\/ingest\/[\w-]+\.test\.ts$/.test(file) &&
  source.startsWith("src/domains/vulnerabilities/advisories/");

/** Why `file` cannot import `source`; undefined if it can. */
function objection(one: Import): string | undefined {
  const { file, source } = one;
  if (isCompared(one)) return undefined;
  const isTest = TEST.test(file);
  const path = file.replace(/\.tsx?$/, "");
  const broken = RULES.find(
    ({ from, not, forTests }) => (forTests || !isTest) && from.test(path) && not.test(source),
  );
  if (broken || isTest) return broken?.why;
  const [own, other] = [domainOf(file), domainOf(source)];
  if (own !== undefined && other !== undefined && own !== other && !PAIRS[`${own} ${other}`])
    return "not a pair of domains";
  return layerOf(source, layersOf(path)) > layerOf(path) ? "against the direction" : undefined;
}

const files = ["contract", "packages", "src", "server", "e2e"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) => /\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|dist)\/|routeTree\.gen|\.d\.ts$/.test(name),
    )
    .map((name) => `${folder}/${name}`),
);

test("every file is in a layer", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const missingLayer = files.filter((file) => !TEST.test(file) && layerOf(file.replace(/\.tsx?$/, "")) < 0);
  expect(missingLayer).toEqual([]);
});

test("imports go in one direction", () => {
  const wrong = files
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))
    .flatMap((one) => {
      const reason = objection(one);
      return reason === undefined ? [] : [`${one.file} imports ${one.source}: ${reason}`];
    });
  expect(wrong).toEqual([]);
});

/** What the frame needs of a kind it gets from its definition; only the tree and the scope are about groups. */
test("frame and components name no collection", () => {
  const literal = new RegExp(`"(${kinds.map(({ collection }) => collection).join("|")})"`, "g");
  const about = /^src\/frame\/(?:group-tree|scope)\//;
  const named = files
    .filter((file) => /^src\/(?:frame|ui)\//.test(file) && !TEST.test(file))
    .flatMap((file) =>
      [...withoutComments(readFileSync(join(root, file), "utf8")).matchAll(literal)].map(
        ([, collection = ""]) => `${file}: ${collection}`,
      ),
    )
    .filter((one) => !(about.test(one) && one.endsWith(": groups")));
  expect(named).toEqual([]);
});

/** Where statements are: files of one table or of a few that belong together, and the parts of the platform that store. */
const SQL = /^server\/(?:.+\.table\.ts$|platform\/(?:store|delivery|oidc)\/)/;
/** Passes statements on, to measure them. */
const MEASURES = "server/platform/observe/telemetry.ts";
const STATEMENT = /\.query[(<]/;

const hasMisplacedSql = (file: string, text: string): boolean =>
  file.startsWith("server/") &&
  !TEST.test(file) &&
  !SQL.test(file) &&
  file !== MEASURES &&
  STATEMENT.test(withoutComments(text));

test("SQL is in the file of its table", () => {
  const misplaced = files.filter((file) => hasMisplacedSql(file, readFileSync(join(root, file), "utf8")));
  expect(misplaced).toEqual([]);
});

test.each([
  ["server/domains/access/roles.ts", "await queries.query('select 1')", true],
  ["server/platform/http/x.ts", "database.query<{ uid: string }>('select 1')", true],
  ["server/domains/access/roles.table.ts", "queries.query('select 1')", false],
  ["server/platform/store/x.ts", "queries.query('select 1')", false],
  ["server/domains/access/roles.ts", "const { query } = call; // .query(", false],
])("%s: %s is misplaced: %s", (file, text, misplaced) => {
  expect(hasMisplacedSql(file, text)).toBe(misplaced);
});

/** A name that many files give to something of their own says nothing; `Route` is the router's. */
test("an exported type has its name to itself, or shares it with one other file", () => {
  const names = files
    .filter((file) => !TEST.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(TYPE)].map(([, name = ""]) => name),
    );
  const count = (name: string): number => names.filter((other) => other === name).length;
  const shared = [...new Set(names)].filter((name) => name !== "Route" && count(name) > 2);
  expect(shared).toEqual([]);
});

test.each([
  ["src/api/client/x.ts", 'import "~/domains/organization/groups/data"', "against the direction"],
  ["src/api/client/x.ts", 'export { a } from "../../frame/x"', "against the direction"],
  ["src/domains/organization/groups/x.tsx", 'const a = () => import("~/shell/x")', "against the direction"],
  ["src/shell/x.tsx", 'import "~/routeTree.gen"', "against the direction"],
  ["src/frame/x.tsx", 'import "~/domains/access/x"', "against the direction"],
  ["src/domains/events/x.tsx", 'import "~/domains/registry/x"', "not a pair of domains"],
  ["src/ui/x.ts", 'import type { A } from "platform-contract/iam/groups"', "components know no resource"],
  ["src/ui/x.ts", 'import { a } from "../api/x"', "components know no resource"],
  ["contract/iam/x.ts", 'import "react"', "the contract imports only zod/mini and itself"],
  ["src/auth/x.ts", 'import { z } from "zod"', "the browser loads zod/mini"],
  [
    "src/routes/x.tsx",
    'import "platform-contract"',
    "it holds every resource: import the one that is needed",
  ],
  [
    "src/frame/x.test.ts",
    'import "../../server/platform/store/sql"',
    "the console never imports the service",
  ],
  ["server/platform/store/x.ts", 'import "../../domains/access/roles"', "against the direction"],
  ["server/x.ts", 'import "platform-client"', "the service calls no API of its own"],
  ["src/api/x.ts", 'import "platform-client"', "the console has a transport of its own (src/api/client)"],
  [
    "packages/client/x.ts",
    'import "yaml"',
    "the client imports only zod/mini, the contract and itself: it also runs in the browser",
  ],
  ["packages/command/x.ts", 'import "../../src/config"', "packages stand alone"],
  ["server/config.ts", 'import "./platform/store/sql"', "against the direction"],
  ["server/platform/http/x.ts", 'import "../delivery/send"', "against the direction"],
  ["server/platform/http/x.ts", 'import "../../main"', "against the direction"],
  ["server/platform/http/x.ts", 'import "~/ui/theme"', "the service never imports the console"],
  ["server/domains/access/x.ts", 'import "../../testing/app"', "only tests import what is for tests"],
  ["server/platform/store/x.ts", 'import { a } from "./migrations/001-iam"', "migrations are frozen"],
  ["server/platform/store/migrations/x.ts", 'import { a } from "../sql"', "migrations are frozen"],
  [
    "e2e/x.spec.ts",
    'import "../server/platform/store/sql"',
    "browser tests import only the contract, the seed, and the mail server, registry and issuer of tests",
  ],
])("%s: %s", (file, text, reason) => {
  expect(importsOf(file, text).map(objection)).toEqual([reason]);
});

test.each([
  ["src/domains/organization/groups/x.tsx", 'import "~/frame/list/list-screen"'],
  ["src/ui/x.ts", 'import "platform-contract/status"'],
  ["src/ui/x.ts", 'import "~/store"'],
  ["src/api/x.ts", 'import "platform-client/errors"'],
  ["packages/command/x.ts", 'import "platform-client"'],
  ["src/app/app.tsx", 'import "~/routeTree.gen"'],
  ["server/domains/access/x.ts", 'import "platform-contract/iam/groups"'],
  ["server/main.ts", 'import "./platform/http/server"'],
  ["server/platform/store/migrate.ts", 'import "./migrations/index"'],
  ["e2e/x.spec.ts", 'import "../server/commands/seed/demo-data"'],
])("%s: %s is allowed", (file, text) => {
  expect(importsOf(file, text).map(objection)).toEqual([undefined]);
});
