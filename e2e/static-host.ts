import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

export interface Deployment {
  /** Content of config.json; undefined: no such file. */
  readonly config?: unknown;
  /** Its Content-Security-Policy; undefined: none. */
  readonly policy?: string;
}

export interface StaticHost {
  /** The console's base address, with a trailing slash. */
  readonly url: string;
  /** The deployed copy. A test can change it, as a new deployment does. */
  readonly directory: string;
  /** Replaces configuration and policy, for a service that needs this host's address in order to start. */
  configure(deployment: Deployment): Promise<void>;
  stop(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * A typical static host: serves a copy of dist/ below `basePath` (with slashes at both ends), answers unknown paths
 * with index.html, and uses compressed files where they exist. It runs no code of the service. The system chooses the
 * `port` if none is given.
 */
export async function startStaticHost({
  directory: source = join(root, "dist"),
  basePath = "/",
  port = 0,
  ...deployment
}: Deployment & { directory?: string; basePath?: string; port?: number } = {}): Promise<StaticHost> {
  const scratch = await mkdtemp(join(tmpdir(), "platform-console-static-"));
  const directory = join(scratch, "dist");
  await cp(source, directory, { recursive: true });
  if (basePath !== "/") await rebase(scratch, basePath);

  let policy: string | undefined;
  async function configure(next: Deployment): Promise<void> {
    policy = next.policy;
    const file = join(directory, "config.json");
    await (next.config === undefined
      ? rm(file, { force: true })
      : writeFile(file, JSON.stringify(next.config)));
  }
  await configure(deployment);

  const server = createServer((request, response) => {
    if (policy !== undefined) response.setHeader("content-security-policy", policy);
    answer(directory, basePath, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    directory,
    configure,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** The policy that the documentation tells hosts to send, for an API and an issuer on other origins. */
export const strictPolicy = (api: string, issuer: string): string => {
  const elsewhere = [...new Set([api, issuer].map((address) => new URL(address).origin))].join(" ");
  return `default-src 'self'; connect-src 'self' ${elsewhere}; object-src 'none'; base-uri 'self'; frame-ancestors 'none'`;
};

/** Configuration and policy of a console for the platform service at `service` (its PUBLIC_URL). */
export const deploymentFor = (service: string): Required<Deployment> => ({
  config: {
    apiBaseUrl: service,
    oidc: {
      authority: `${service}/oidc`,
      clientId: "console",
      scope: "openid profile email offline_access",
    },
  },
  policy: strictPolicy(service, `${service}/oidc`),
});

/** Runs the exact command of README.md, so that this tests it too. */
async function rebase(scratch: string, basePath: string): Promise<void> {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const command = /^sed -i .*dist\/index\.html$/m.exec(readme)?.[0];
  if (command === undefined) throw new Error("README.md no longer says how the base path is changed");
  await run("sh", ["-c", command.replace("/console/", basePath)], { cwd: scratch });
}

async function answer(
  directory: string,
  basePath: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
  if (!path.startsWith(basePath)) return void response.writeHead(404).end("nothing here");
  const wanted = join(directory, path.slice(basePath.length));
  const file = (await isFile(wanted)) ? wanted : join(directory, "index.html");
  const accepted = request.headers["accept-encoding"] ?? "";
  const packed = CODINGS.find(([coding, ending]) => accepted.includes(coding) && existsSync(file + ending));
  const bytes = await readFile(file + (packed?.[1] ?? ""));
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-length": bytes.length,
    "cache-control": file.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(packed && { "content-encoding": packed[0] }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
