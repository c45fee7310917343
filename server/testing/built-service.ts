import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const builtProgram = (name: string): string =>
  fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));

/** What Node gets to run `platform-console <name>` of the build. */
export const commandLine = (name: string, ...args: readonly string[]): string[] => [
  builtProgram("main"),
  name,
  ...args,
];

/** The environment that any program needs, without settings for a service that runs in the same shell. */
export const surroundings = (): Record<string, string | undefined> =>
  Object.fromEntries(["PATH", "HOME", "TMPDIR", "TZ", "LANG"].map((name) => [name, process.env[name]]));

export interface BuiltService {
  /** PUBLIC_URL. */
  readonly url: string;
  readonly pid: number | undefined;
  /** True while it is running. */
  alive(): boolean;
  /** Sends a signal and waits for the exit; returns the exit code, null after SIGKILL. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
}

/** Starts `server/dist/main.js`, or another program with its arguments, as a process; rejects with its output if it does not start. */
export async function startBuilt(
  variables: Readonly<Record<string, string>>,
  {
    program = builtProgram("main"),
    args = [] as readonly string[],
    node = process.execPath,
    cwd = process.cwd(),
  } = {},
): Promise<BuiltService> {
  const child = spawn(node, [program, ...args], {
    cwd,
    env: { ...surroundings(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const started = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { msg, address }: Record<string, string> = line.startsWith("{") ? JSON.parse(line) : {};
      if (msg === "started" && address !== undefined) resolve(address);
    });
  });
  const url = await Promise.race([started, ended.then(() => Promise.reject(new Error(said.join("\n"))))]);
  return {
    url,
    pid: child.pid,
    alive: () => child.exitCode === null && child.signalCode === null,
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
