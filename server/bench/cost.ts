import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

import { builtProgram } from "../testing/built-service";
import { databaseOn, startPostgres } from "../testing/postgres";
import { freePort, KINDS, PEOPLE, send, service, type Kind, type Target } from "./targets";

/** A target that uses PostgreSQL has its own database, by which its backends are known. */
interface Costed extends Target {
  readonly database?: string;
  /** Runs a kind so many times, if it takes no requests; returns the milliseconds of each. */
  repeat?(kind: Kind, count: number): Promise<number[]>;
}

/** Requests before a turn, not counted: connections that were idle for long begin anew, with nothing prepared. */
const WARM_UP = 24;
/** Requests of one turn. */
const COUNTS: Readonly<Record<Kind, number>> = { ping: 300, list: 150, get: 300, create: 100 };
const AT_ONCE = [1, PEOPLE] as const;

/** Milliseconds of CPU that a process has used, all of its threads; 0 if it is gone. */
export function cpuOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name, which may contain anything: fields 14 and 15 of proc(5), in hundredths of a second.
    const [user, system] = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return 0;
  }
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Milliseconds of CPU that each backend of a database has used; without a name, of the client's own. */
export async function backendsOf(client: pg.Client, database?: string): Promise<Map<number, number>> {
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = coalesce($1, current_database()) and pid <> pg_backend_pid()",
    [database],
  );
  return new Map(rows.map(({ pid }) => [pid, cpuOf(pid)]));
}

/** What one kind of request of a target costs, at one or several at once. */
interface Cost {
  requests: number;
  process: number;
  backends: number;
  readonly ms: number[];
}

async function floor(database: string, url: string): Promise<Costed[]> {
  const port = await freePort();
  const child = spawn(process.execPath, [builtProgram("bench"), "--floor", url, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const pids = [child.pid ?? 0];
  const at = `http://127.0.0.1:${port}`;
  const ask = (kind: Kind) => send(kind === "create" ? "POST" : "GET", `${at}/${kind}`, "none");
  return [
    {
      name: "bare query",
      pids,
      database,
      ask,
      repeat: (kind, count) =>
        kind === "ping" ? Promise.resolve([]) : send("GET", `${at}/bare/${kind}/${count}`, "none"),
      stop: () => Promise.resolve(),
    },
    {
      name: "floor",
      pids,
      database,
      ask,
      async stop() {
        child.kill();
        await once(child, "exit");
      },
    },
  ];
}

async function press(target: Costed, kind: Kind, atOnce: number, count: number): Promise<number[]> {
  if (target.repeat) return atOnce === 1 ? target.repeat(kind, count) : [];
  const ms: number[] = [];
  let left = count;
  const client = async (_: unknown, index: number): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      await target.ask(kind, index);
      ms.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return ms;
}

/**
 * The CPU time of a request, of the service and of PostgreSQL, and how long it takes: of this build and of others, given
 * as `NAME=DIRECTORY` of their `server/dist`, beside the bare query and a server that does nothing else. All take turns,
 * so that other load affects all of them equally. Asserts nothing.
 */
export async function measureCost(
  rounds: number,
  others: readonly string[],
  embedded: boolean,
): Promise<string> {
  const builds = [...others, "now="].map((text) => {
    const [name = "", directory = ""] = text.split("=");
    return { name, program: directory === "" ? builtProgram("main") : path.resolve(directory, "main.js") };
  });
  const kinds = KINDS.filter((kind) => (process.env["KINDS"] ?? kind).split(",").includes(kind));
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const directories: string[] = [];
  const targets: Costed[] = [];
  const own = async () => {
    const { url } = await databaseOn(server.url);
    return { url, name: new URL(url).pathname.slice(1) };
  };
  const directory = async () => {
    const made = await mkdtemp(path.join(tmpdir(), "cost-"));
    directories.push(made);
    return made;
  };
  const costs: Record<string, Cost>[] = [];
  try {
    const first = await own();
    targets.push(...(await floor(first.name, first.url)));
    for (const { name, program } of builds) {
      const { url, name: database } = await own();
      const where = { DATABASE_URL: url, DATA_DIR: await directory() };
      targets.push({ ...(await service(`PostgreSQL, ${name}`, 1, where, program)), database });
    }
    for (const { name, program } of embedded ? builds : [])
      targets.push(await service(`embedded, ${name}`, 1, { DATA_DIR: await directory() }, program));
    const used = async ({ pids, database }: Costed) => ({
      process: sum(pids.map(cpuOf)),
      backends: await backendsOf(admin, database),
    });
    costs.push(...targets.map(() => ({})));
    // The first rounds warm up.
    for (let round = -1; round < rounds; round++) {
      for (const target of targets) await target.renew?.();
      for (const kind of kinds)
        for (const atOnce of AT_ONCE)
          for (const [index, target] of targets.entries()) {
            if (round < 0) {
              // Until what runs often is compiled.
              await press(target, kind, atOnce, COUNTS[kind] * 3);
              continue;
            }
            await press(target, kind, atOnce, WARM_UP);
            const before = await used(target);
            const ms = await press(target, kind, atOnce, COUNTS[kind]);
            const after = await used(target);
            const cost = (costs[index]![`${kind} ${atOnce}`] ??= {
              requests: 0,
              process: 0,
              backends: 0,
              ms: [],
            });
            cost.requests += ms.length;
            cost.process += after.process - before.process;
            cost.backends += sum(
              [...after.backends].map(([pid, now]) => now - (before.backends.get(pid) ?? 0)),
            );
            cost.ms.push(...ms);
          }
    }
  } finally {
    for (const target of targets) await target.stop();
    await admin.end();
    await server.stop();
    for (const made of directories) await rm(made, { recursive: true, force: true });
  }
  return [cpuTable(targets, costs), timesTable(targets, costs)].join("\n\n");
}

export const rowsOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** CPU milliseconds of a request, process and backends; for the process, how many times the floor's. */
function cpuTable(targets: readonly Costed[], costs: readonly Record<string, Cost>[]): string {
  const base = targets.findIndex(({ name }) => name === "floor");
  const columns = AT_ONCE.flatMap((atOnce) => KINDS.map((kind) => `${kind} ${atOnce}`));
  const lines = targets.map((target, index) => [
    target.name,
    ...columns.map((column) => {
      const cost = costs[index]?.[column];
      const least = costs[base]?.[column];
      if (!cost?.requests || !least) return "";
      const own = cost.process / cost.requests;
      const times = (own / (least.process / least.requests)).toFixed(1);
      const backends =
        target.database === undefined ? "" : ` + ${(cost.backends / cost.requests).toFixed(2)}`;
      return `${own.toFixed(2)}${backends} (${times})`;
    }),
  ]);
  return rowsOf([
    ["CPU ms", ...columns.map((column) => `${column} at once`)],
    ["---", ...columns.map(() => "---:")],
    ...lines,
  ]);
}

/** Milliseconds until the response, p50 / p99. */
function timesTable(targets: readonly Costed[], costs: readonly Record<string, Cost>[]): string {
  const columns = AT_ONCE.flatMap((atOnce) => KINDS.map((kind) => `${kind} ${atOnce}`));
  const lines = targets.map(({ name }, index) => [
    name,
    ...columns.map((column) => {
      const ms = costs[index]?.[column]?.ms.toSorted((a, b) => a - b) ?? [];
      const at = (share: number) => ms[Math.floor(ms.length * share)]?.toFixed(1);
      return ms.length === 0 ? "" : `${at(0.5)} / ${at(0.99)}`;
    }),
  ]);
  return rowsOf([
    ["p50 / p99 ms", ...columns.map((column) => `${column} at once`)],
    ["---", ...columns.map(() => "---:")],
    ...lines,
  ]);
}
