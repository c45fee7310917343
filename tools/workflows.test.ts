import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

import config from "../playwright.config";
import { REFERENCES } from "../server/platform/store/versions/references/programs";

interface Workflow {
  readonly on: object;
  readonly jobs: Record<
    string,
    {
      /** The jobs of another workflow, in place of the rest. */
      readonly uses?: string;
      readonly "runs-on"?: string;
      readonly strategy?: { readonly matrix: Record<string, readonly string[]> };
      readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
    }
  >;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const workflows = readdirSync(join(root, ".github/workflows")).map(
  (name) => [name, parse(read(`.github/workflows/${name}`), { strict: true }) as Workflow] as const,
);
const commandsOf = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
/** A tag can be moved to another program, a commit cannot. */
const PINNED = /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/;

test.each(workflows)("%s: each step is an action or a command, and each npm script exists", (_, workflow) => {
  expect(workflow.on).toBeDefined();
  for (const job of Object.values(workflow.jobs)) {
    if (job.uses !== undefined) {
      const called = workflows.find(([name]) => job.uses === `./.github/workflows/${name}`)?.[1];
      expect(called?.on).toHaveProperty("workflow_call");
      continue;
    }
    expect(job["runs-on"]).toBe("ubuntu-latest");
    expect(job.steps).not.toEqual([]);
    for (const { uses, run } of job.steps ?? []) {
      expect([uses, run].filter(Boolean)).toHaveLength(1);
      if (uses !== undefined) expect(uses).toMatch(PINNED);
    }
  }
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = commandsOf(workflow).flatMap((run) => [...run.matchAll(/npm (?:run )?(\S+)/g)]);
  for (const [, script = ""] of named) expect(["ci", ...Object.keys(scripts)]).toContain(script);
});

/** Packages with the programs that long tests look for, and are skipped without. */
const PACKAGES: Record<string, readonly string[]> = {
  "docker-registry": ["docker-registry", "skopeo"],
  "firefox-esr": ["firefox-esr"],
  haproxy: ["haproxy"],
  pgbouncer: ["pgbouncer"],
  promtool: ["prometheus"],
  python3: ["python3-grpcio", "python3-grpc-tools"],
  tinyproxy: ["tinyproxy"],
  WebKitWebDriver: ["webkit2gtk-driver"],
  Xvfb: ["xvfb"],
};
/** Part of the runner, or of every Debian. */
const PRESENT = ["ip", "mkfs.ext4", "mount", "npm", "openssl", "ps", "truncate", "umount", "unshare"];

/** References of version orders that are there anyway, or that Ubuntu does not have. */
const WITHOUT = ["apk-tools", "dpkg", "this repository"];

/** Programs that a file starts by their names or paths. */
const programsIn = (text: string) =>
  [/"\/usr\/s?bin\/([\w-]+)"/g, /\b(?:spawn|spawnSync|execFile|execFileSync)\("([\w-]+)"/g].flatMap(
    (pattern) => [...text.matchAll(pattern)].flatMap(([, program]) => program ?? []),
  );

test("the nightly run installs every program that long tests look for, and nothing else", () => {
  const folders = ["e2e", "server", "tools"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter(
        (file) =>
          !file.includes("node_modules") &&
          (file.startsWith("e2e/engines/") ||
            /\.long\.spec\.ts$|\.(?:long|attack)\.ts$|^server\/testing\/.*\.ts$/.test(file)) &&
          file.endsWith(".ts"),
      ),
  );
  const wanted = [...new Set(files.flatMap((file) => programsIn(read(file))))];
  const needed = wanted.filter((program) => !PRESENT.includes(program));
  expect(needed.toSorted()).toEqual(Object.keys(PACKAGES).toSorted());
  const installed = workflows
    .filter(([name]) => name === "nightly.yml")
    .flatMap(([, workflow]) => commandsOf(workflow))
    .flatMap((run) => /apt-get install --yes (.*)/.exec(run)?.[1]?.split(" ") ?? []);
  const references = REFERENCES.flatMap(({ packages }) => packages).filter((name) => !WITHOUT.includes(name));
  const packages = [...Object.values(PACKAGES).flat(), ...references];
  expect(installed.toSorted()).toEqual(packages.toSorted());
});

test("the nightly run installs each browser that it runs journeys in", () => {
  const { engines } = workflows.find(([name]) => name === "nightly.yml")![1].jobs;
  expect(engines?.strategy?.matrix["browser"]).toEqual(["firefox", "webkit"]);
  expect(engines?.steps?.map(({ run }) => run)).toContain(
    "npx playwright install --with-deps ${{ matrix.browser }}",
  );
  // Without a choice there is Chromium alone.
  expect(config.projects?.map(({ name }) => name)).toEqual(["chromium"]);
});

test("a release waits for the tests, and makes what the documents promise", () => {
  const release = workflows.find(([name]) => name === "release.yml")![1];
  const jobs = release.jobs as unknown as Record<string, { readonly needs?: string | readonly string[] }>;
  for (const [name, { needs }] of Object.entries(jobs)) if (name !== "tests") expect(needs).toBeDefined();
  expect(commandsOf(release).join("\n")).toContain('npm run release -- "${GITHUB_REF_NAME#v}"');
  const section = (version: string) => {
    const script =
      commandsOf(release)
        .join("\n")
        .match(/awk .* CHANGELOG\.md/)?.[0] ?? "";
    const env = { ...process.env, GITHUB_REF_NAME: `v${version}` };
    return execFileSync("bash", ["-c", script], { cwd: root, env, encoding: "utf8" });
  };
  const [, last = ""] = /^## \[(\d[^\]]*)\] - /m.exec(read("CHANGELOG.md")) ?? [];
  expect(section(last).trim()).not.toBe("");
  expect(section(last)).not.toMatch(/^## /m);
  expect(section("9.9.9")).toBe("");
  // The chart of a release names its image: these lines are what the workflow fills in.
  expect(read("deploy/chart/values.yaml")).toMatch(/^  repository: platform-console$/m);
  expect(read("deploy/chart/values.yaml")).toMatch(/^  digest: ""$/m);
});
