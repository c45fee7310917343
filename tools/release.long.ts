import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { extract, list } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";

import { signIn } from "../server/platform/oidc/testing";
import { startBuilt } from "../server/testing/built-service";
import { version } from "../package.json";

const root = fileURLToPath(new URL("..", import.meta.url));
const MINUTES = 60_000;
let place: string;
const at = (...parts: string[]) => path.join(place, ...parts);

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
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

test(
  "a second run writes the same bytes",
  async () => {
    release(version, "--out", at("two"));
    const sums = await readFile(at("one", "SHA256SUMS"), "utf8");
    expect(sums.split("\n").map((line) => line.slice(66))).toEqual([
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

/** A Node of another major version, from its package. */
async function nodeOf(major: number): Promise<string> {
  const folder = at(`node-${major}`);
  await mkdir(folder);
  run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `node@${major}`], folder);
  return path.join(folder, "node_modules/node/bin/node");
}

test.each([20, 24])(
  "Node %i and the service's archive in an empty folder: start, sign in, list",
  async (major) => {
    const node = await nodeOf(major);
    expect(run(node, ["--version"], place)).toMatch(new RegExp(`^v${major}\\.`));
    const folder = at(`empty-${major}`);
    await mkdir(folder);
    await extract({ file: at("one", `${service}.tar.gz`), cwd: folder });
    const program = path.join(folder, service, "server/dist/main.js");
    expect(run(node, [program, "--version"], folder)).toBe(`${version}\n`);
    // Nothing but Node: no npm, no shell, no packages of this repository.
    const variables = { PORT: "0", PATH: path.dirname(node) };
    const started = await startBuilt(variables, { program, node, cwd: folder });
    const person = { email: "viewer@demo.example", password: "platform-demo" };
    const { accessToken } = await signIn(started.url, person);
    const answer = await fetch(`${started.url}/iam/v2/groups`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const { groups } = (await answer.json()) as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).toContain("Meridian Freight");
    const page = await fetch(`${started.url}/`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain("<title>Platform Console</title>");
    expect((await fetch(`${started.url}/third-party-notices.txt`)).status).toBe(200);
    expect(await started.end("SIGTERM")).toBe(0);
    expect(await readdir(folder)).toEqual(["data", service]);
  },
  10 * MINUTES,
);
