import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

import { canInstall, install } from "../../tools/debian";

const PROGRAMS = ["docker-registry", "skopeo"];
const isThere = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

/** Installs what is missing; throws where that is not possible. */
export function ensurePrograms(): void {
  for (const program of PROGRAMS)
    if (!isThere(program) && !(canInstall() && install(program)))
      throw new Error(`${program} is not installed: on Debian, apt-get install ${PROGRAMS.join(" ")}`);
}

export interface DockerRegistry {
  readonly host: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Debian's Distribution 2.8 with its storage in a directory. */
export async function startDockerRegistry(
  directory: string,
  options: { port: number; service: string; secret: string; certificates: string },
): Promise<DockerRegistry> {
  const { port, service, secret, certificates } = options;
  const file = (name: string) => path.join(directory, name);
  await mkdir(directory, { recursive: true });
  await writeFile(file("certificates.pem"), certificates);
  const host = `127.0.0.1:${port}`;
  const configuration = {
    version: "0.1",
    log: { level: "warn" },
    storage: { filesystem: { rootdirectory: file("blobs") }, delete: { enabled: true } },
    http: { addr: host, secret: "of its own" },
    auth: {
      token: {
        realm: `${service}/registry/token`,
        service: host,
        issuer: `${service}/registry`,
        rootcertbundle: file("certificates.pem"),
      },
    },
    notifications: {
      endpoints: [
        {
          name: "platform",
          url: `${service}/registry/events`,
          headers: { Authorization: [`Bearer ${secret}`] },
          timeout: "2s",
          threshold: 5,
          backoff: "1s",
        },
      ],
    },
  };
  await writeFile(file("config.yml"), JSON.stringify(configuration));
  const child = spawn("docker-registry", ["serve", file("config.yml")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(file("registry.log"), { flags: "a" });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const ended = once(child, "exit");
  for (let tries = 0; ; tries += 1) {
    const answered = await fetch(`http://${host}/v2/`).catch(() => undefined);
    if (answered) break;
    if (tries > 100 || child.exitCode !== null)
      throw new Error(`docker-registry did not start: see ${file("registry.log")}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    host,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
  };
}

const run = promisify(execFile);

/** Runs a program; its status, and what it wrote. */
export async function tryRun(
  program: string,
  args: readonly string[],
): Promise<{ ok: boolean; text: string }> {
  try {
    const { stdout, stderr } = await run(program, [...args], { maxBuffer: 64_000_000 });
    return { ok: true, text: stdout + stderr };
  } catch (error) {
    const { stdout = "", stderr = "" }: { stdout?: string; stderr?: string } = Object(error);
    return { ok: false, text: stdout + stderr };
  }
}
