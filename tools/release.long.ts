import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { extract, list } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";

import { READ_ONLY } from "platform-contract/sts/read-only";

import { openSignIn, redeem, signIn } from "../server/platform/oidc/testing";
import { startBuilt } from "../server/testing/built-service";
import { version } from "../package.json";

const root = fileURLToPath(new URL("..", import.meta.url));
const MINUTES = 60_000;
let place: string;
const at = (...parts: string[]) => path.join(place, ...parts);

/** What says that tests run would make the last release leave out what builds its files. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITE|TEST)/.test(name)));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", env });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}
const release = (...args: string[]) => run(process.execPath, ["tools/release.mjs", ...args], at("clone"));

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), "release-test-"));
  // What is committed: changes that are not are no release.
  run("git", ["clone", "-q", root, at("clone")], place);
  await symlink(path.join(root, "node_modules"), at("clone", "node_modules"));
  release(version, "--out", at("one"));
}, 10 * MINUTES);
afterAll(() => rm(place, { recursive: true, force: true }));

const service = `platform-service-${version}`;
const console = `platform-console-${version}`;
const command = `platform-command-${version}`;

test(
  "a second run writes the same bytes",
  async () => {
    release(version, "--out", at("two"));
    const sums = await readFile(at("one", "SHA256SUMS"), "utf8");
    expect(sums.split("\n").map((line) => line.slice(66))).toEqual([
      `${command}.tar.gz`,
      `${console}.cdx.json`,
      `${console}.tar.gz`,
      `${service}.tar.gz`,
      "third-party-notices.txt",
      "",
    ]);
    expect(await readFile(at("two", "SHA256SUMS"), "utf8")).toBe(sums);
    run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], at("one"));
  },
  10 * MINUTES,
);

test("another version than that of the commit, or a checkout with changes, is refused", async () => {
  expect(() => release("9.9.9")).toThrow(`has version ${version}, not 9.9.9`);
  await cp(at("clone", "README.md"), at("clone", "new.md"));
  expect(() => release(version)).toThrow("The checkout has changes");
  await rm(at("clone", "new.md"));
});

test("the command runs from its archive with nothing installed", async () => {
  await mkdir(at("command"));
  await extract({ file: at("one", `${command}.tar.gz`), cwd: at("command") });
  const program = at("command", command, "bin/platform");
  expect(run(program, ["--version"], place)).toBe(`${version}\n`);
  expect(run(program, ["--help"], place)).toContain("Exit codes:");
  expect(run(at("command", command, "bin/docker-credential-platform"), ["list"], place)).toBe("{}");
});

/** Extracts an archive of the service, as the unit expects it at /opt/platform-console; its program is in it. */
async function install(archive: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await extract({ file: archive, cwd: folder, strip: 1 });
  return folder;
}

const person = { email: "viewer@demo.example", password: "platform-demo" };

test(
  "platform mcp serves from the command's archive, with nothing but Node beside it",
  async () => {
    const folder = at("served");
    const home = await install(at("one", `${service}.tar.gz`), path.join(folder, "opt"));
    const program = path.join(home, "bin/platform-console");
    const served = await startBuilt({ PORT: "0", SECRET_KEY: "x".repeat(32) }, { program, cwd: folder });
    const scope = `openid email profile offline_access ${READ_ONLY}`;
    const { browser, request, page } = await openSignIn(served.url, { scope });
    const sent = await browser.submit(page.url, person);
    const { location } = await browser.follow(sent, request.redirectUri);
    const { accessToken } = await redeem(served.url, browser, location, request);

    const client = new Client({ name: "test", version: "1" });
    await extract({ file: at("one", `${command}.tar.gz`), cwd: folder });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.join(folder, command, "bin/platform"), "mcp"],
        cwd: folder,
        env: { PATH: "", HOME: folder, PLATFORM_SERVER: served.url, PLATFORM_TOKEN: accessToken },
      }),
    );
    expect(client.getServerVersion()).toEqual({ name: "platform", version });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_groups");
    const listed = await client.callTool({ name: "list_groups", arguments: {} });
    expect([listed.isError, JSON.stringify(listed.content)]).toEqual([
      undefined,
      expect.stringContaining("Meridian Freight"),
    ]);
    await client.close();
    expect(await served.end("SIGTERM")).toBe(0);
  },
  10 * MINUTES,
);

test("the console's archive has the notices of what is in it, and nothing of the machine", async () => {
  const files: string[] = [];
  await list({ file: at("one", `${console}.tar.gz`), onReadEntry: (entry) => void files.push(entry.path) });
  for (const name of ["LICENSE", "index.html", "config.json", "third-party-notices.txt"])
    expect(files).toContain(`${console}/${name}`);
  expect(files.filter((name) => /\.built|\.vite|node_modules/.test(name))).toEqual([]);
});

test("the bill of materials names every package of the service and none for tests", async () => {
  const bill = JSON.parse(await readFile(at("one", `${console}.cdx.json`), "utf8")) as {
    bomFormat: string;
    components: { name: string; version: string; licenses?: unknown[] }[];
  };
  const manifest = JSON.parse(await readFile(path.join(root, "server/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(bill.bomFormat).toBe("CycloneDX");
  const found = bill.components.map((component) => `${component.name}@${component.version}`);
  for (const [name, exact] of Object.entries(manifest.dependencies))
    expect(found).toContain(`${name}@${exact}`);
  expect(found.filter((name) => /^(?:vitest|oxlint)@/.test(name))).toEqual([]);
});

test("the service's archive has what an operator needs, and its program can be run", async () => {
  const modes = new Map<string, number>();
  await list({
    file: at("one", `${service}.tar.gz`),
    onReadEntry: ({ path: name, mode = 0 }) => void modes.set(name.slice(service.length + 1), mode),
  });
  for (const name of [
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "SECURITY.md",
    "third-party-notices.txt",
    "bin/platform-console",
    "docs/operate/README.md",
    "docs/operate/settings.md",
    "docs/operate/backups.md",
    "deploy/systemd/platform-console.service",
    "deploy/systemd/platform-console-backup.service",
    "deploy/systemd/platform-console-backup.timer",
    "deploy/chart/Chart.yaml",
    "deploy/chart/values.yaml",
    "deploy/kubernetes/platform-console.yaml",
    "deploy/prometheus/alerts.yaml",
    "deploy/grafana/platform-console.json",
  ])
    expect([...modes.keys()]).toContain(name);
  expect([...modes.keys()].filter((name) => /^proto\/.*\.proto$/.test(name)).length).toBeGreaterThan(5);
  expect(modes.get("server/bin/platform-console.mjs")! & 0o111).toBe(0o111);
  // Programs for contributors, who have a checkout.
  expect([...modes.keys()].filter((name) => /^server\/dist\/[\w-]+\.js$/.test(name))).toEqual([
    "server/dist/main.js",
  ]);
});

/** A Node of another major version, from its package. */
async function nodeOf(major: number): Promise<string> {
  const folder = at(`node-${major}`);
  await mkdir(folder);
  run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `node@${major}`], folder);
  return path.join(folder, "node_modules/node/bin/node");
}

async function groupsAt(url: string): Promise<string[]> {
  const { accessToken } = await signIn(url, person);
  const answer = await fetch(`${url}/iam/v2/groups`, { headers: { authorization: `Bearer ${accessToken}` } });
  const { groups } = (await answer.json()) as { groups: { name: string }[] };
  return groups.map(({ name }) => name).toSorted();
}

/** What follows `/usr/bin/node` in a unit's ExecStart lines, for an installation elsewhere. */
const execStarts = async (unit: string, home: string): Promise<string[][]> =>
  [
    ...(await readFile(path.join(home, "deploy/systemd", unit), "utf8")).matchAll(
      /^ExecStart=\/usr\/bin\/node (.*)$/gm,
    ),
  ].map(([, words = ""]) => words.replaceAll("/opt/platform-console", home).split(" "));

test.each([20, 24])(
  "Node %i and the service's archive in an empty folder: each command, start, sign in, back up, restore",
  async (major) => {
    const node = await nodeOf(major);
    expect(run(node, ["--version"], place)).toMatch(new RegExp(`^v${major}\\.`));
    const folder = at(`empty-${major}`);
    const home = await install(at("one", `${service}.tar.gz`), path.join(folder, "opt"));
    // Nothing but Node: no npm, no shell, no packages of this repository.
    const variables = { PORT: "0", PATH: path.dirname(node), SECRET_KEY: "x".repeat(32) };
    const program = path.join(home, "bin/platform-console");
    const command = (args: readonly string[], more: Record<string, string> = {}) =>
      spawnSync(node, [program, ...args], { cwd: folder, env: { ...variables, ...more }, encoding: "utf8" });
    expect(command(["version"]).stdout).toBe(`${version}\n`);
    const help = command(["--help"]).stdout;
    const names = [...help.matchAll(/^ {2}([a-z-]+) +\S/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names)
      expect([name, command([name, "--help"])]).toMatchObject([name, { status: 0, stderr: "" }]);
    for (const [page = ""] of help.matchAll(/docs\/\S+\.md/g))
      expect((await readFile(path.join(home, page), "utf8")).length).toBeGreaterThan(0);
    expect(command(["check"])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok /) });

    const [[unit = "", ...args] = []] = await execStarts("platform-console.service", home);
    const started = await startBuilt(variables, { program: unit, args, node, cwd: folder });
    expect(await groupsAt(started.url)).toContain("Meridian Freight");
    const page = await fetch(`${started.url}/`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain("<title>Platform Console</title>");
    expect((await fetch(`${started.url}/third-party-notices.txt`)).status).toBe(200);

    // As the timer does, while the service runs.
    await mkdir(path.join(folder, "backups"));
    for (const words of await execStarts("platform-console-backup.service", home)) {
      const [, ...rest] = words.map((word) => word.replace(/^\/var\/lib\/.*backups$/, "backups"));
      expect(command(rest)).toMatchObject({ status: 0 });
    }
    const groups = await groupsAt(started.url);
    expect(await started.end("SIGTERM")).toBe(0);
    const [backup = ""] = (await readdir(path.join(folder, "backups"))).filter((name) =>
      name.endsWith(".gz"),
    );
    const drill = { DATA_DIR: path.join(folder, "drill") };
    expect(command(["import", "--from", `backups/${backup}`], drill)).toMatchObject({ status: 0 });
    const { port } = new URL(started.url);
    const restored = await startBuilt({ ...variables, ...drill, PORT: port }, { program, node, cwd: folder });
    expect(await groupsAt(restored.url)).toEqual(groups);
    expect(await restored.end("SIGTERM")).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(["backups", "data", "drill", "opt"]);
  },
  10 * MINUTES,
);

/** The commit of the last release: the first with its heading. A shallow clone has none. */
const [, last = ""] =
  /^## \[([^\]]+)\] - /m.exec(await readFile(path.join(root, "CHANGELOG.md"), "utf8")) ?? [];
const lastCommit = run(
  "git",
  ["log", `-S## [${last}] - `, "--format=%H", "--reverse", "--", "CHANGELOG.md"],
  root,
)
  .split("\n")
  .at(0);

test.skipIf(!lastCommit)(
  `what was written with the last release, ${last}, is there after an upgrade, and after the way back`,
  async () => {
    run("git", ["clone", "-q", root, at("last")], place);
    run("git", ["checkout", "-q", lastCommit ?? ""], at("last"));
    await symlink(path.join(root, "node_modules"), at("last", "node_modules"));
    run(process.execPath, ["tools/release.mjs", last, "--out", at("before")], at("last"));
    const archives = {
      old: at("before", `platform-service-${last}.tar.gz`),
      next: at("one", `${service}.tar.gz`),
    };
    const folder = at("upgrade");
    const before = await install(archives.old, path.join(folder, "old"));
    const after = await install(archives.next, path.join(folder, "new"));
    const variables = { PORT: "0", SECRET_KEY: "x".repeat(32) };
    const old = path.join(before, "server/dist/main.js");
    const first = await startBuilt(variables, { program: old, cwd: folder });
    const groups = await groupsAt(first.url);
    expect(await first.end("SIGTERM")).toBe(0);
    // The last release has a program for it.
    const saved = path.join(folder, "before.gz");
    run(process.execPath, [path.join(before, "server/dist/export.js"), "--to", saved], folder);

    const PORT = new URL(first.url).port;
    const program = path.join(after, "bin/platform-console");
    const upgraded = await startBuilt({ ...variables, PORT }, { program, cwd: folder });
    expect(await groupsAt(upgraded.url)).toEqual(groups);
    expect(await upgraded.end("SIGTERM")).toBe(0);
    await expect(startBuilt({ ...variables, PORT }, { program: old, cwd: folder })).rejects.toThrow(
      "written by a newer version",
    );
    await rm(path.join(folder, "data"), { recursive: true });
    run(process.execPath, [path.join(before, "server/dist/import.js"), "--from", saved], folder);
    const back = await startBuilt({ ...variables, PORT }, { program: old, cwd: folder });
    expect(await groupsAt(back.url)).toEqual(groups);
    expect(await back.end("SIGTERM")).toBe(0);
  },
  20 * MINUTES,
);
