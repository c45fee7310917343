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
  /** Shuts down gracefully and waits; the data stays, for another start. */
  stop(): Promise<void>;
}

/**
 * Starts the built service as a child process, on a port that the system chooses unless `variables` sets one. Rejects
 * with its output if it does not start.
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
      // Packages can print lines of their own.
      if (!line.startsWith("{")) return;
      const { msg, address } = JSON.parse(line) as { msg?: string; address?: string };
      if (msg === "started" && address !== undefined) resolve(address);
    });
    child.once("exit", () => reject(new Error(said.join("\n"))));
  });
  return { url, process: child, stop: () => (child.kill("SIGTERM"), ended) };
}

/** What any program needs; the service must not inherit settings from the developer's shell. */
const surroundings = (): Record<string, string | undefined> =>
  Object.fromEntries(["PATH", "HOME", "TMPDIR", "TZ", "LANG"].map((name) => [name, process.env[name]]));

/**
 * Returns a port that is free now. It is below the ranges that systems assign to connections and to port 0 (Linux from
 * 32768, others from 49152), where a free port can be taken a moment later.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return free ? port : freePort();
}

/** Copies the data directory of a first start, if the global setup prepared one: that saves most of a start. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "platform-console-e2e-"));
  const prepared = process.env["PREPARED_DATA"];
  if (prepared !== undefined) await cp(prepared, directory, { recursive: true });
  return directory;
}

export const removeDataDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true });
