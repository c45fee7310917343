import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

import { startPostgres } from "../testing/postgres";
import { FOLDERS, freePort, PEOPLE, send, service, type Target } from "./targets";

const LOAD_KINDS = ["list", "get", "create"] as const;
type LoadKind = (typeof LOAD_KINDS)[number];

/** Parallel requests of a person: the limit that the service has for one caller. */
const EACH = 2;

/** Milliseconds per response, and measured seconds in total. */
type Times = Record<LoadKind, { readonly ms: number[]; seconds: number }>;

/** Node's upper limit: responses of the same size as the service's, from memory. */
async function bareHttp(): Promise<Target> {
  const port = await freePort();
  const program = `
    const one = { uid: "0".repeat(57), name: "folder 10", createTime: "2026-01-01T00:00:00.000Z", updateTime: "2026-01-01T00:00:00.000Z" };
    const page = JSON.stringify({ groups: Array(${FOLDERS}).fill(one) }), single = JSON.stringify(one);
    require("http").createServer((q, a) => {
      a.setHeader("content-type", "application/json");
      q.resume().on("end", () => a.end(q.url === "/list" ? page : single));
    }).listen(${port}, "127.0.0.1", () => console.log("up"));`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    name: "bare HTTP server, no database",
    pids: [],
    ask: (kind) =>
      send(
        kind === "create" ? "POST" : "GET",
        `http://127.0.0.1:${port}/${kind}`,
        "none",
        kind === "create" ? {} : undefined,
      ),
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** One statement on a persistent connection, without HTTP: a page, a row, an insert. */
async function bareQuery(url: string): Promise<Target> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query("create table bare (uid text primary key, parent text, name text, at timestamptz)");
  await pool.query("create index on bare (parent, uid)");
  await pool.query(
    "insert into bare select 'uid' || n, 'parent', 'folder ' || n, now() from generate_series(1, $1::int) n",
    [FOLDERS],
  );
  const statements: Record<LoadKind, string> = {
    list: "select * from bare where parent = 'parent' order by uid limit 50",
    get: "select * from bare where uid = 'uid7'",
    create: "insert into bare values (gen_random_uuid()::text, 'made', 'made', now()) returning *",
  };
  return {
    name: "bare query on PostgreSQL, no HTTP",
    pids: [],
    ask: (kind) => pool.query(statements[kind as LoadKind]),
    stop: () => pool.end(),
  };
}

async function press(target: Target, kind: LoadKind, seconds: number, into: Times): Promise<void> {
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  const client = async (_: unknown, index: number): Promise<void> => {
    for (let at = performance.now(); at < end;) {
      await target.ask(kind, index);
      const now = performance.now();
      into[kind].ms.push(now - at);
      at = now;
    }
  };
  await Promise.all(Array.from({ length: PEOPLE * EACH }, client));
  into[kind].seconds += (performance.now() - begin) / 1_000;
}

const none = (): Times => ({
  list: { ms: [], seconds: 0 },
  get: { ms: [], seconds: 0 },
  create: { ms: [], seconds: 0 },
});

/**
 * Requests per second and p99 of each target, as a table. Targets take turns, so that other load on the machine affects
 * all of them equally.
 */
export async function measureLoad(rounds: number, seconds: number): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "load-"));
  const servers = [await startPostgres(), await startPostgres()] as const;
  const [one, two] = servers.map(({ url }) => url) as [string, string];
  const targets = [
    await bareHttp(),
    await bareQuery(one),
    await service("embedded, one process", 1, { DATA_DIR: directory }),
    await service("PostgreSQL, one process", 1, { DATABASE_URL: one, DATA_DIR: directory }),
    await service("PostgreSQL, two processes", 2, { DATABASE_URL: two, DATA_DIR: directory }),
  ];
  const times = targets.map(none);
  try {
    for (let round = 0; round <= rounds; round++)
      for (const kind of LOAD_KINDS)
        for (const [index, target] of targets.entries())
          // The first round warms up.
          await press(target, kind, seconds, round === 0 ? none() : times[index]!);
  } finally {
    for (const target of targets) await target.stop();
    for (const server of servers) await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
  return table(targets, times);
}

function table(targets: readonly Target[], times: readonly Times[]): string {
  const rate = (index: number, kind: LoadKind) => times[index]![kind].ms.length / times[index]![kind].seconds;
  const cell = (index: number, kind: LoadKind): string => {
    const { ms } = times[index]![kind];
    const p99 = ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.99)] ?? Number.NaN;
    const share = (rate(index, kind) / rate(0, kind)).toFixed(2);
    return `${rate(index, kind).toFixed(0)} / ${p99.toFixed(0)} ms / ${share}`;
  };
  const lines = targets.map(({ name }, index) => [name, ...LOAD_KINDS.map((kind) => cell(index, kind))]);
  return [["", ...LOAD_KINDS], ["---", "---:", "---:", "---:"], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
