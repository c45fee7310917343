/**
 * Proves that the linter still rejects every forbidden import (docs/architecture.md, "One direction"). A pattern that
 * matches nothing would pass silently, so every rule has a fixture that must fail, and some that must pass. The
 * fixtures are written to a temporary tree of the same shape and linted with the project's configuration.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Both ways to import a file of `room` from a file `depth` directories below src or server. */
const alias = (rooms) => rooms.flatMap((room) => [`~/${room}/x`, `../${room}/x`, `../../${room}/deep/x`]);
const relative = (rooms) => rooms.flatMap((room) => [`../${room}/x`, `../../${room}/deep/x`]);

const everywhere = [
  "../server/x",
  "../../server/store/x",
  "~/contract",
  "~/contract/index",
  "../contract/index",
  "zod",
];
const heads = ["~/app/main", "../main", "~/app/app", "~/routeTree.gen"];
const console = (folder, above, below, more = []) => ({
  file: `src/${folder}/room/fixture.ts`,
  forbidden: [...alias(above), ...everywhere, ...heads, ...more],
  allowed: [...alias(below), "./x", "../x", "zod/mini", "react", "~/contract/aip"],
});
const service = (folder, above, below) => ({
  file: `server/${folder}/fixture.ts`,
  forbidden: [...relative(above), "~/api/x", "~/ui/x", "../../src/api/x", "../main", "../start"],
  allowed: [...relative(below), "./x", "../config", "zod", "~/contract/index", "~/contract/iam/groups"],
});

const HOUSE = ["auth", "api", "access", "ui", "features", "resource", "screens", "shell", "routes"];
const upTo = (folder) => HOUSE.slice(0, HOUSE.indexOf(folder));
const from = (folder) => HOUSE.slice(HOUSE.indexOf(folder) + 1);
const layer = (folder) => console(folder, from(folder), upTo(folder));

const fixtures = [
  {
    file: "src/contract/iam/fixture.ts",
    forbidden: [
      ...alias(HOUSE),
      "~/config",
      "react",
      "zod",
      "@tanstack/react-query",
      "../../server/x",
      "~/main",
    ],
    allowed: ["zod/mini", "./groups", "../resource", "../iam/roles"],
  },
  {
    file: "src/config.ts",
    forbidden: [...alias(HOUSE), ...everywhere, ...heads],
    allowed: ["zod/mini", "~/contract/aip"],
  },
  console("auth", from("auth"), []),
  console("api", from("api"), ["auth"]),
  console("access", from("access"), ["auth", "api"]),
  console(
    "ui",
    HOUSE.filter((folder) => folder !== "ui"),
    [],
    ["~/contract/iam/groups", "../../contract/iam/groups", "~/contract/registry/tags", "~/config"],
  ),
  layer("features"),
  layer("resource"),
  layer("screens"),
  layer("shell"),
  console("routes", [], upTo("routes")),
  { file: "src/app/start.ts", forbidden: everywhere, allowed: ["~/auth/x", "./app", "~/routes/x"] },
  { file: "src/ui/x.test.ts", forbidden: ["../../server/x"], allowed: ["~/contract/index", "vitest"] },
  {
    file: "server/config.ts",
    forbidden: ["./store/x", "./access/x", "./http/x", "./main"],
    allowed: ["zod"],
  },
  service("store", ["access", "oidc", "handlers", "http", "seed", "testing"], []),
  service("access", ["oidc", "handlers", "delivery", "http", "seed", "testing"], ["store"]),
  service("oidc", ["access", "handlers", "delivery", "http", "seed", "testing"], ["store"]),
  service("handlers", ["delivery", "http", "seed", "testing"], ["store", "access", "oidc"]),
  service("delivery", ["http", "seed", "testing"], ["store", "access", "oidc", "handlers"]),
  service("http", ["delivery", "seed", "testing"], ["store", "access", "oidc", "handlers"]),
  service("grpc", ["store", "seed", "testing"], ["handlers", "http", "oidc"]),
  service("seed", ["http", "testing"], ["store", "access", "oidc", "handlers"]),
  service("transfer", ["access", "handlers", "http", "seed", "testing"], ["store"]),
  service("ingest", ["access", "handlers", "http", "testing"], ["store", "seed", "transfer"]),
  { file: "server/main.ts", forbidden: ["~/auth/x", "../src/api/x"], allowed: ["./http/x", "./seed/x"] },
  {
    file: "e2e/fixture.spec.ts",
    forbidden: ["~/api/x", "../src/ui/x", "../server/store/x", "../server/config"],
    allowed: ["~/contract/aip", "../server/seed/demo-data", "./fixtures", "@playwright/test"],
  },
];

const CYCLE = { "src/features/a.ts": 'import "./b";\n', "src/features/b.ts": 'import "./a";\n' };
const BARREL = { "src/features/barrel.ts": 'export * from "./a";\n' };

/** Lints the tree of `files` (path to text); returns the failing rules by path. */
function lint(files) {
  const tree = mkdtempSync(join(tmpdir(), "arrows-"));
  try {
    for (const name of [".oxlintrc.json", "tsconfig.json"]) cpSync(join(root, name), join(tree, name));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const oxlint = join(root, "node_modules/.bin/oxlint");
    const { stdout, stderr } = spawnSync(oxlint, ["--format", "json"], { cwd: tree, encoding: "utf8" });
    if (!stdout.startsWith("{")) throw new Error(`oxlint did not run: ${stderr || stdout}`);
    return JSON.parse(stdout).diagnostics.map(({ code, filename, labels }) => ({
      code,
      path: filename,
      line: labels[0]?.span.line,
    }));
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** Prints every import that the linter gets wrong. @returns {boolean} true if there is none */
export function checkArrows() {
  const text = ({ forbidden, allowed }) =>
    [...forbidden, ...allowed].map((source) => `import "${source}";\n`).join("");
  const files = Object.fromEntries(fixtures.map((fixture) => [fixture.file, text(fixture)]));
  const found = lint({ ...files, ...CYCLE, ...BARREL });
  const wrong = fixtures.flatMap(({ file, forbidden, allowed }) => {
    const caught = new Set(
      found
        .filter(({ path, code }) => path === file && code.includes("no-restricted-imports"))
        .map(({ line }) => line),
    );
    return [...forbidden, ...allowed].flatMap((source, index) => {
      const isForbidden = index < forbidden.length;
      if (caught.has(index + 1) === isForbidden) return [];
      return [`${file} ${isForbidden ? "can" : "cannot"} import ${source}`];
    });
  });
  for (const [paths, rule] of [
    [Object.keys(CYCLE), "no-cycle"],
    [Object.keys(BARREL), "no-barrel-file"],
  ])
    for (const path of paths)
      if (!found.some((one) => one.path === path && one.code.includes(rule)))
        wrong.push(`${path} passes ${rule}`);
  const count = fixtures.reduce((sum, { forbidden }) => sum + forbidden.length, 0);
  process.stderr.write(
    wrong.length > 0 ? `${wrong.join("\n")}\n` : `${count} forbidden imports, all caught\n`,
  );
  return wrong.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && !checkArrows()) process.exit(1);
