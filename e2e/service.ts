import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../server/dist/main.js", import.meta.url));

export interface RunningService {
  /** PUBLIC_URL, without a trailing slash. */
  readonly url: string;
  readonly process: ChildProcess;
  /** Ends it in order and waits; its data stays, for another start. */
  stop(): Promise<void>;
}

/**
 * Starts the built service as a process of its own, on a port that the system chooses unless `variables` has one.
 * Rejects with what it said when it does not start.
 */
export async function startBuiltService(
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  if (!existsSync(program)) throw new Error("The service is not built: run npm run build");
  const child = spawn(process.execPath, [program], {
    env: {
      ...surroundings(),
      PORT: "0",
      DATA_DIR: dataDirectory,
      SEED: "none",
      SIGN_UP: "open",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      // Packages may write a line of their own.
      if (!line.startsWith("{")) return;
      const { msg, address } = JSON.parse(line) as { msg?: string; address?: string };
      if (msg === "started" && address !== undefined) resolve(address);
    });
    child.once("exit", () => reject(new Error(said.join("\n"))));
  });
  return { url, process: child, stop: () => (child.kill("SIGTERM"), ended) };
}

/** What any program needs; settings of a service that somebody runs in the same shell are none of this one's. */
const surroundings = (): Record<string, string | undefined> =>
  Object.fromEntries(["PATH", "HOME", "TMPDIR", "TZ", "LANG"].map((name) => [name, process.env[name]]));

/**
 * A port that nobody listens on now. Below those that systems give to connections and to whoever asks for any (Linux from
 * 32768, others from 49152), of which one that was free a moment ago may be taken.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return free ? port : freePort();
}

/** A data directory as a first start leaves it, where the global setup has made one: most of a start is that. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "platform-console-e2e-"));
  const prepared = process.env["PREPARED_DATA"];
  if (prepared !== undefined) await cp(prepared, directory, { recursive: true });
  return directory;
}

export const removeDataDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true });
