import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer, type ServerResponse } from "node:http";
import pg from "pg";

import type { ScaleOptions } from "../commands/seed/scale-options";
import { databaseOn, startPostgres, type TemporaryPostgres } from "../testing/postgres";
import { advisoryCases, identityCases, registryCases, type Case } from "./cases";
import { measureCost } from "./cost";
import { measureLoad } from "./load";
import { measurePages, type Result } from "./pages";
import { hostLine, pagesTable, promises } from "./report";
import { measureTags } from "./tags";
import { startWorld, type World } from "./world";
import { FOLDERS, type Kind } from "./targets";

const READ = "select uid, name, description, created_at, updated_at from floor";
const STATEMENTS: Record<Exclude<Kind, "ping">, string> = {
  list: `${READ} where parent = $1 order by uid limit ${FOLDERS}`,
  get: `${READ} where uid = $1`,
  create: `insert into floor select gen_random_uuid()::text, $1, 'made', '', now(), now() returning *`,
};
const PARAMETERS: Record<Exclude<Kind, "ping">, string> = {
  list: "parent",
  get: "0".repeat(55) + "07",
  create: "written",
};

/**
 * The least that a response costs in Node: one prepared statement, and JSON, without token, permissions, total or log.
 * `/KIND` answers a request; `/bare/KIND/COUNT` runs only the statement that many times, and answers the milliseconds.
 */
async function serveFloor(url: string, port: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(`create table if not exists floor (uid text primary key, parent text, name text, description text,
    created_at timestamptz(3), updated_at timestamptz(3))`);
  await pool.query("create index if not exists floor_parent on floor (parent, uid)");
  await pool.query(
    `insert into floor select lpad(n::text, 57, '0'), 'parent', 'folder ' || n, '', now(), now()
     from generate_series(1, $1::int) n`,
    [FOLDERS],
  );
  await pool.query("analyze floor");
  const ask = (kind: Exclude<Kind, "ping">) =>
    pool.query({ name: kind, text: STATEMENTS[kind], values: [PARAMETERS[kind]] });
  const write = (response: ServerResponse, value: unknown) => {
    const text = JSON.stringify(value);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  };
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const [, first = "", kind = "", count = ""] = path.split("/");
    if (first === "ping") return write(response, { response: "pong" });
    if (first !== "bare") {
      const { rows } = await ask(first as "list");
      return write(response, first === "list" ? { items: rows } : rows[0]);
    }
    const ms: number[] = [];
    for (let index = 0; index < Number(count); index++) {
      const from = performance.now();
      await ask(kind as "list");
      ms.push(performance.now() - from);
    }
    write(response, ms);
  };
  createServer((request, response) => {
    request.resume().on("end", () => void answer(request.url ?? "", response));
  }).listen(port, "127.0.0.1", () => process.stdout.write("up\n"));
}

const quick = process.argv.includes("--quick");
const repeats = quick ? 5 : 40;
const visible = [1, 10, 100, 1_000];
const groups = quick ? 5_000 : 100_000;
const people: ScaleOptions = {
  groups,
  depth: 10,
  identities: groups,
  bindings: groups * 2,
  repos: 0,
  tags: 0,
  advisories: 0,
  visible,
};
/** Fewer groups, so that most of the data is what is measured. */
const registry = (tags: number): ScaleOptions => ({
  ...people,
  groups: quick ? groups : 20_000,
  identities: 1_000,
  bindings: 100,
  repos: quick ? 1_000 : 20_000,
  tags: quick ? 10_000 : tags,
});
const EMBEDDED_TAGS = 200_000;
const POSTGRES_TAGS = 1_000_000;

const data = process.env["BENCH_DATA"] ?? path.join(tmpdir(), `platform-bench-${groups}`);
const output = process.env["BENCH_OUTPUT"] ?? path.join(tmpdir(), "platform-bench-output");

const say = (text: string) => void process.stderr.write(`${text}\n`);
const versions = new Set<string>();

async function measureOn(
  where: Parameters<typeof startWorld>[0],
  size: ScaleOptions,
  cases: (world: World, size: ScaleOptions, visible: readonly number[]) => Promise<Case[]>,
): Promise<Result[]> {
  const world = await startWorld(where, size);
  try {
    const [row] = await world.service.database.query<{ server_version: string }>("show server_version");
    const { kind } = world.service.database;
    versions.add(
      `${kind === "embedded" ? "PGlite, PostgreSQL" : "PostgreSQL"} ${row?.server_version.split(" ")[0]}`,
    );
    say(`Pages, ${kind}:`);
    return await measurePages(world, await cases(world, size, size.visible), repeats);
  } finally {
    await world.stop();
  }
}

/** Undefined if there is none, which is no failure: the embedded figures stand on their own. */
async function postgres(): Promise<TemporaryPostgres | undefined> {
  try {
    return await startPostgres();
  } catch (error) {
    say(`No PostgreSQL here, skipped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Only for PostgreSQL: feeds of this size are what it is for. */
const security: ScaleOptions = {
  ...people,
  groups: 1_000,
  visible: [],
  identities: 10,
  bindings: 0,
  advisories: quick ? 20_000 : 200_000,
};
if (process.argv.includes("--advisories")) {
  const own = await startPostgres();
  const found = await measureOn({ DATABASE_URL: own.url }, security, advisoryCases).finally(own.stop);
  process.stdout.write(`${pagesTable(found)}\n\n${promises(found).join("\n")}\n`);
  process.exit(0);
}
if (process.argv.includes("--cost")) {
  const others = process.argv.filter((text) => /^[\w-]+=/.test(text));
  const rounds = Number(process.env["ROUNDS"] ?? (quick ? 1 : 4));
  process.stdout.write(`${await measureCost(rounds, others, !process.argv.includes("--postgres"))}\n`);
  process.exit(0);
}
if (process.argv.includes("--tag-costs")) {
  const builds = process.argv.filter((text) => /^[\w-]+=/.test(text));
  process.stdout.write(`${await measureTags(Number(process.env["ROUNDS"] ?? 4), builds)}\n`);
  process.exit(0);
}
const floor = process.argv.indexOf("--floor");
if (floor > 0) {
  await serveFloor(process.argv[floor + 1] ?? "", Number(process.argv[floor + 2]));
  await new Promise(() => {});
}
if (process.argv.includes("--load")) {
  process.stdout.write(`${await measureLoad(quick ? 1 : 4, quick ? 0.5 : 2)}\n`);
  process.exit(0);
}
const identities = await measureOn({ DATA_DIR: data }, people, identityCases);
const rest = await measureOn({ DATA_DIR: `${data}-registry` }, registry(EMBEDDED_TAGS), registryCases);
const server = await postgres();
if (server)
  try {
    identities.push(...(await measureOn({ DATABASE_URL: server.url }, people, identityCases)));
    const other = await databaseOn(server.url);
    const size = registry(POSTGRES_TAGS);
    rest.push(...(await measureOn({ DATABASE_URL: other.url }, size, registryCases).finally(other.stop)));
  } finally {
    await server.stop();
  }

mkdirSync(output, { recursive: true });
/** Writes the table that docs/figures/figures.md includes under this name. */
function report(name: string, results: readonly Result[]): void {
  const promised = promises(results).join("\n");
  writeFileSync(path.join(output, `${name}.md`), `${pagesTable(results)}\n\n\`\`\`text\n${promised}\n\`\`\``);
  process.stdout.write(`${pagesTable(results)}\n\n${promised}\n`);
}
report("pages", identities);
report("registry", rest);
const count = (number: number) => number.toLocaleString("en");
const rows = [
  `${count(people.groups)} groups`,
  `${count(people.identities)} identities`,
  `${count(registry(0).repos)} repos`,
  `${count(EMBEDDED_TAGS)} tags embedded and ${count(POSTGRES_TAGS)} in PostgreSQL`,
];
writeFileSync(path.join(output, "host.md"), hostLine(rows.join(", "), [...versions]));
