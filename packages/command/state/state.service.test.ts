import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

import { snapshotBytes } from "platform-client/snapshots/file";
import { readSnapshot } from "platform-client/snapshots/format";
import type { PlanStep } from "platform-client/plan/planned";

import { startService, type TestService } from "../../../server/testing/service";
import type { Checked } from "./check";
import { terminalAt, type Ended, type Terminal } from "../testing/terminal";

let service: TestService;
let home: string;
let terminal: Terminal;
let token: string;
const uids: Record<string, string> = {};

const run = (...args: string[]) =>
  terminal.run(args, { env: { PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url } });
const json = ({ out, err }: Ended): never => {
  if (out === "") throw new Error(err);
  return JSON.parse(out) as never;
};
const make = async (name: string, kind: string, parent: string | undefined, ...fields: string[]) => {
  const made: { uid: string } = json(
    await run(
      "create",
      kind,
      ...(parent === undefined ? [] : ["--parent", parent]),
      ...fields.flatMap((field) => ["--field", field]),
    ),
  );
  uids[name] = made.uid;
  return made.uid;
};
const stepsOf = (ended: Ended): Pick<PlanStep, "how" | "collection" | "path">[] =>
  (json(ended) as { steps: PlanStep[] }).steps.map(({ how, collection, path }) => ({
    how,
    collection,
    path,
  }));
const edit = async (file: string, change: (text: string) => string) =>
  writeFile(file, change(await readFile(file, "utf8")));

beforeAll(async () => {
  service = await startService();
  home = await mkdtemp(join(tmpdir(), "state-"));
  terminal = terminalAt(home);
  token = await service.token("ada");
  execFileSync(process.execPath, ["tools/build.mjs", "--stale", "command"], { stdio: "inherit" });
  const acme = await make("acme", "group", undefined, "name=acme");
  const runtime = await make("runtime", "group", acme, "name=runtime", "description=Base images");
  await make("hostile", "group", acme, "name=../evil `x` @all");
  await make("role", "role", acme, "name=pusher", 'capabilities:=["CAP_REPO_LIST"]');
  await make(
    "ci",
    "identity",
    runtime,
    "name=ci",
    `claimMatch.issuer=${service.issuer.url}`,
    "claimMatch.subject=ci",
  );
  await make("binding", "role-binding", runtime, `identityUid=${uids["ci"]}`, `roleUid=${uids["role"]}`);
  await make("web", "repo", runtime, "name=web", "description=Web");
});
afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true, force: true });
});

const scope = () => ["--scope", uids["acme"] ?? ""];
const withoutTime = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^ *"?time"?:/.test(line))
    .join("\n");
async function filesIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => /\.(?:json|yaml)$/.test(name))
    .toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, withoutTime(texts[index] ?? "")]));
}

test("a snapshot is the console's, and the same again", async () => {
  const [one, other] = [await run("snapshot", ...scope()), await run("snapshot", ...scope())];
  expect(one).toMatchObject({ code: 0, err: "" });
  expect(withoutTime(other.out)).toBe(withoutTime(one.out));
  const read = readSnapshot(one.out);
  const { file } = await snapshotBytes(read, new AbortController().signal);
  expect(one.out).toBe(await file.text());
  expect(read.records.repos).toMatchObject([{ name: "web", description: "Web" }]);
  const yaml = await run("snapshot", ...scope(), "--yaml");
  expect({ ...parse(yaml.out), time: "" }).toEqual({ ...JSON.parse(one.out), time: "" });
});

test.each([
  ["yaml", ["--yaml"]],
  ["json", []],
] as const)("in folders, as %s, it is the same again, and nothing differs", async (ending, options) => {
  const directory = join(home, `state-${ending}`);
  expect(await run("snapshot", ...scope(), "--split", directory, ...options)).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  const before = await filesIn(directory);
  expect(Object.keys(before)).toEqual([
    `_snapshot.${ending}`,
    `acme/%2E.%2Fevil %60x%60 %40all/_folder.${ending}`,
    `acme/_folder.${ending}`,
    `acme/runtime/_folder.${ending}`,
  ]);
  await run("snapshot", ...scope(), "--split", directory, ...options);
  expect(await filesIn(directory)).toEqual(before);
  const planned = await run("plan", directory, "-o", "json");
  expect(planned.err).toBe("");
  expect(json(planned)).toMatchObject({ steps: [], said: [] });
  expect(await run("drift", directory)).toMatchObject({ code: 0 });
});

test("edits are planned, and nothing else", async () => {
  const directory = join(home, "edited");
  await run("snapshot", ...scope(), "--split", directory, "--yaml");
  await edit(
    join(directory, "acme/runtime/_folder.yaml"),
    (text) =>
      `${text.replace("description: Web", "description: '@all `x`' # kept").replace("name: runtime", "name: base")}`,
  );
  await mkdir(join(directory, "acme/new"));
  await writeFile(
    join(directory, "acme/new/_folder.yaml"),
    `group: {name: new-folder}
identities: [{name: robot, claimMatch: {issuer: "${service.issuer.url}", subject: robot}}]
roleBindings: [{identity: {name: robot}, role: {name: pusher}}]
`,
  );
  await rm(join(directory, "acme/%2E.%2Fevil %60x%60 %40all"), { recursive: true });
  const out = join(home, "plan.json");
  const planned = await run("plan", directory, "-o", "json", "--out", out);
  expect(stepsOf(planned)).toEqual([
    { how: "create", collection: "groups", path: "acme/new-folder" },
    { how: "create", collection: "identities", path: "acme/new-folder/robot" },
    { how: "create", collection: "roleBindings", path: "acme/new-folder/robot, pusher" },
    { how: "update", collection: "groups", path: "acme/runtime" },
    { how: "update", collection: "repos", path: "acme/runtime/web" },
    { how: "delete", collection: "groups", path: "acme/..%2Fevil `x` @all" },
  ]);
  const { steps }: { steps: PlanStep[] } = JSON.parse(await readFile(out, "utf8"));
  expect(steps[2]?.body).toEqual({
    identityUid: { ref: "create identities acme/new-folder/robot" },
    roleUid: uids["role"],
  });
  expect(await run("plan", directory, "-o", "json")).toEqual(planned);

  const drifted = await run("drift", directory, "-o", "markdown");
  expect(drifted).toMatchObject({ code: 6 });
  expect(drifted.out).toContain("- delete group ``acme/..%2Fevil `x` @all``");
  expect(drifted.out).toContain('`"Web"` → ``"@all `x`"``');
  const managed = await run(
    "plan",
    directory,
    "-o",
    "json",
    "--manage",
    "repos:**",
    "--manage",
    "!acme/new**",
  );
  expect(stepsOf(managed)).toEqual([{ how: "update", collection: "repos", path: "acme/runtime/web" }]);

  // Written again, the comment stays and the value is the real one.
  await run("snapshot", ...scope(), "--split", directory, "--yaml");
  expect(await readFile(join(directory, "acme/runtime/_folder.yaml"), "utf8")).toMatch(
    /description: '?Web'? # kept/,
  );
  expect(await run("drift", directory)).toMatchObject({ code: 0 });
});

test("--check says what the write would be refused with, and writes nothing", async () => {
  const directory = join(home, "checked");
  await run("snapshot", ...scope(), "--split", directory, "--yaml");
  await edit(join(directory, "acme/runtime/_folder.yaml"), (text) =>
    text.replace("name: web", "name: WEB").replace("name: runtime", "name: rt"),
  );
  await edit(join(directory, "acme/_folder.yaml"), (text) => `${text}repos: [{name: UPPER}, {name: fine}]\n`);
  const planned = await run("plan", directory, "-o", "json", "--check");
  expect(planned).toMatchObject({ code: 6, err: "platform: The service would refuse some of it.\n" });
  const { steps, checked }: { steps: PlanStep[]; checked: Checked } = json(planned);
  expect(checked.unchecked).toEqual([]);
  expect(checked.refused.map(({ id }) => id)).toEqual([
    "create repos acme/UPPER",
    `update groups ${uids["runtime"]}`,
    `update repos ${uids["web"]}`,
  ]);
  const lines = ({ code, message, violations }: Checked["refused"][number]) =>
    [
      `platform: ${code}: ${message}`,
      ...violations.map(({ field, description }) => `  ${field}: ${description}`),
    ].join("\n");
  const real = [
    await run("create", "repo", "--parent", uids["acme"] ?? "", "--field", "name=UPPER"),
    await run("update", "group", uids["runtime"] ?? "", "--field", "name=rt"),
    await run("update", "repo", uids["web"] ?? "", "--field", "name=WEB"),
  ];
  for (const [index, { code, err }] of real.entries()) {
    expect(code).toBe(1);
    const refused = checked.refused[index];
    expect(err).toContain(refused && lines(refused));
  }
  const again = await run("plan", directory, "-o", "json");
  expect((json(again) as { steps: PlanStep[] }).steps).toEqual(steps);
  const markdown = await run("plan", directory, "-o", "markdown", "--check");
  expect(markdown.out).toContain("- create repo `acme/UPPER`: `INVALID_ARGUMENT: ");
});

test("a service that doesn't know validateOnly is sent no write", async () => {
  const seen: string[] = [];
  const front = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const { authorization = "" } = request.headers;
    const answer = await fetch(service.url + String(request.url), { headers: { authorization } });
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": "application/json" });
    if (request.url !== "/config.json") return void response.end(text);
    const { validateOnly, ...rest } = JSON.parse(text) as Record<string, unknown>;
    expect(validateOnly).toBe(true);
    response.end(JSON.stringify({ ...rest, apiBaseUrl: server }));
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const server = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const directory = join(home, "checked");
  const asked = await run("plan", directory, "--check", "--server", server);
  expect(asked).toMatchObject({ code: 2, out: "" });
  expect(asked.err).toContain("validateOnly");
  expect((await run("plan", directory, "--server", server)).code).toBe(0);
  front.closeAllConnections();
  front.close();
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.filter((one) => !one.startsWith("GET ") || one.includes("validateOnly"))).toEqual([]);
});

test("who may not see all gets no snapshot that looks whole, and no answer to whether something differs", async () => {
  const other = await service.token("bob");
  const env = { PLATFORM_TOKEN: other, PLATFORM_SERVER: service.url };
  const stranger = await terminal.run(["snapshot", ...scope()], { env });
  expect(stranger).toMatchObject({ code: 1, out: "" });
  const drifted = await terminal.run(["drift", join(home, "checked")], { env });
  expect(drifted).toMatchObject({ code: 1, out: "" });
});

test.each([
  [["snapshot"], "--scope"],
  [["snapshot", "--scope", "x", "--split", "a", "-o", "b"], "contradict"],
  [["plan"], "STATE is missing"],
  [["plan", "/nowhere"], "can't be read"],
  [["plan", ".", "-o", "yaml"], "--output takes"],
  [["plan", "package.json"], "package.json: This file isn't a snapshot."],
  [["snapshot", "--scope", "acme"], '"acme" is no uid. To find one: platform list groups --name=acme'],
  [["drift", "packages"], "this is no state"],
])("%j is not how it is written", async (args, sentence) => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(ended.err).toContain(sentence);
});

test("a directory with the files of another organization or folder is not written to", async () => {
  const directory = join(home, "one");
  expect(await run("snapshot", ...scope(), "--split", directory, "--yaml")).toMatchObject({ code: 0 });
  const before = await filesIn(directory);
  const other = await run("snapshot", "--scope", uids["runtime"] ?? "", "--split", directory, "--yaml");
  expect(other).toMatchObject({ code: 2, out: "" });
  expect(other.err).toContain(`has the files of acme (${uids["acme"]})`);
  expect(await filesIn(directory)).toEqual(before);
});

test("a pattern that matches nothing is said", async () => {
  const directory = join(home, "patterns");
  await run("snapshot", ...scope(), "--split", directory);
  const managed = (...patterns: string[]) =>
    run("drift", directory, "-o", "table", ...patterns.flatMap((pattern) => ["--manage", pattern]));
  expect(await managed("acme/runtime/**", "!repos:**")).toMatchObject({ code: 0, err: "" });
  expect((await managed("acme/runtmie/**", "!acme/x")).err).toBe(
    ["!acme/x", "acme/runtmie/**"]
      .map((one) => `--manage ${one} matches nothing that is there, and nothing that would be created.\n`)
      .join(""),
  );
});

test("an output that nobody reads doesn't change the exit code", async () => {
  const directory = join(home, "piped");
  await run("snapshot", ...scope(), "--split", directory, "--yaml");
  await edit(join(directory, "acme/runtime/_folder.yaml"), (text) => text.replace("Base images", "Other"));
  const env = { PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url };
  const { child, ended } = terminal.start(["drift", directory], { env });
  child.stdout?.destroy();
  expect((await ended).code).toBe(6);
});

test("a file that can't be written is named", async () => {
  for (const args of [
    ["-o", join(home, "no/where.json")],
    ["-o", home],
    ["--split", "/dev/null"],
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    const ended = await run("snapshot", ...scope(), ...args);
    expect(ended, args[1]).toMatchObject({ code: 2, out: "" });
    expect(ended.err, args[1]).toContain(`platform: ${args[1]}`);
  }
});

test("a directory with other files is not written to", async () => {
  const directory = join(home, "mine");
  await mkdir(directory);
  await writeFile(join(directory, "thesis.txt"), "x");
  expect(await run("snapshot", ...scope(), "--split", directory)).toMatchObject({ code: 2 });
  expect(await readdir(directory)).toEqual(["thesis.txt"]);
});
