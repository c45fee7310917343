import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startService, type TestService } from "../../../server/testing/service";
import { terminalAt, type Ended, type Terminal } from "../testing/terminal";

let service: TestService;
let home: string;
let terminal: Terminal;
let token: string;

const env = () => ({ PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url });
const run = (...args: string[]) => terminal.run(args, { env: env() });
const json = ({ out, err }: Ended): never => {
  if (out === "") throw new Error(err);
  return JSON.parse(out) as never;
};
const make = async (kind: string, parent: string | undefined, ...fields: string[]): Promise<string> => {
  const at = parent === undefined ? [] : ["--parent", parent];
  const made = await run("create", kind, ...at, ...fields.flatMap((field) => ["--field", field]));
  return (json(made) as { uid: string }).uid;
};
const linesOf = ({ out }: Ended): string[] => out.split("\n").filter(Boolean);
const names = async (kind: string, scope: string): Promise<string[]> => {
  const listed = await run("list", kind, `--uidp.descendants_of=${scope}`, "--all", "-o", "json");
  return (json(listed) as { name: string }[]).map(({ name }) => name).toSorted();
};
/** How often the log says that records of a name were made. */
const madeOf = async (scope: string, action: string): Promise<Record<string, number>> => {
  const listed = await service.call("GET", `/audit/v1/entries?uidp.descendants_of=${scope}&page_size=200`, {
    token,
  });
  const counts: Record<string, number> = {};
  for (const entry of listed.json["auditEntries"] as { action: string; record?: { name?: string } }[])
    if (entry.action === action)
      counts[entry.record?.name ?? ""] = (counts[entry.record?.name ?? ""] ?? 0) + 1;
  return counts;
};

beforeAll(async () => {
  service = await startService();
  home = await mkdtemp(join(tmpdir(), "apply-"));
  terminal = terminalAt(home);
  token = await service.token("ada");
  execFileSync(process.execPath, ["tools/build.mjs", "--stale", "command"], { stdio: "inherit" });
});
afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true, force: true });
});

/** An organization with a state in a directory, and what a plan of it and its journal are called. */
async function organization(name: string) {
  const uid = await make("group", undefined, `name=${name}`);
  const runtime = await make("group", uid, "name=runtime");
  const role = await make("role", uid, "name=pusher", 'capabilities:=["CAP_REPO_LIST"]');
  const web = await make("repo", runtime, "name=web", "description=Web");
  const directory = join(home, name);
  const plan = join(home, `${name}.json`);
  expect(await run("snapshot", "--scope", uid, "--split", directory, "--yaml")).toMatchObject({ code: 0 });
  const folder = join(directory, name, "runtime/_folder.yaml");
  return { uid, runtime, role, web, directory, folder, plan, journal: `${plan}.journal` };
}
const edit = async (file: string, change: (text: string) => string) =>
  writeFile(file, change(await readFile(file, "utf8")));

test("a plan is carried out as it was shown, and the state is written with the new uids", async () => {
  const { uid, directory, folder, plan, role } = await organization("carried-out");
  await edit(folder, (text) => text.replace("description: Web", "description: Site # ours"));
  await mkdir(join(directory, "carried-out/tools"));
  await writeFile(
    join(directory, "carried-out/tools/_folder.yaml"),
    `group: {name: tools}
# Of CI.
identities:
  # The robot.
  - {name: robot, claimMatch: {issuer: "${service.issuer.url}", subject: robot}}
roleBindings: [{identity: {name: robot}, role: {name: pusher}}]
`,
  );
  expect(await run("plan", directory, "--out", plan)).toMatchObject({ code: 0 });
  expect(await run("apply", plan)).toMatchObject({ code: 2, out: "" });
  const done = await run("apply", plan, "--yes", "--state", directory);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(linesOf(done)).toEqual([
    "+ create group carried-out/tools",
    "+ create identity carried-out/tools/robot",
    "+ create role binding carried-out/tools/robot, pusher",
    "~ change repo carried-out/runtime/web",
    "4 of 4 steps are done.",
  ]);
  const again = await run("plan", directory, "-o", "json");
  expect(json(again)).toMatchObject({ steps: [], said: [] });
  expect(await readFile(folder, "utf8")).toContain("description: Site # ours");
  const tools = await readFile(join(directory, "carried-out/tools/_folder.yaml"), "utf8");
  expect(tools).toContain("# The robot.");
  expect(tools).toContain(`roleUid: ${role}`);
  expect(await madeOf(uid, "identities.create")).toEqual({ robot: 1 });

  const second = await run("apply", plan, "--yes");
  expect(second).toMatchObject({ code: 6, out: "" });
  expect(second.err).toContain("this one was carried out");
});

test("nothing is done where something has moved, and a run ends at a record that is moved meanwhile", async () => {
  const { uid, runtime, folder, directory, plan } = await organization("moved");
  await edit(folder, (text) => `${text.replace("description: Web", "description: Mine")}identities: []\n`);
  await run("plan", directory, "--out", plan);
  const other = await make("repo", runtime, "name=other");
  const stale = await run("apply", plan, "--yes");
  expect(stale).toMatchObject({ code: 6, out: "" });
  expect(stale.err).toContain("has changed since the plan was made");
  await expect(readFile(`${plan}.journal`)).rejects.toThrow("ENOENT");
  await run("delete", "repo", other, "--yes");

  // Somebody else changes the record of the second step once the first one is done.
  await edit(folder, (text) => text.replace("repos:", "repos:\n  - name: aaa"));
  await run("plan", directory, "--out", plan);
  const { steps } = JSON.parse(await readFile(plan, "utf8")) as { steps: { uid?: string }[] };
  expect(steps).toHaveLength(2);
  const journal = { begin: { run: "0123456789abcdef", plan: await digestOfFile(plan) } };
  await writeFile(`${plan}.journal`, `${JSON.stringify({ time: new Date().toISOString(), ...journal })}\n`);
  const begun = { step: "create repos moved/runtime/aaa", what: { as: "begun" } };
  await edit(
    `${plan}.journal`,
    (text) => `${text}${JSON.stringify({ time: new Date().toISOString(), ...begun })}\n{"st`,
  );
  await run("update", "repo", steps[1]?.uid ?? "", "--field", "description=Theirs");
  const ended = await run("apply", plan, "--yes", "--state", directory);
  expect(ended).toMatchObject({ code: 6 });
  expect(ended.err).toContain("1 of 2 steps are done.");
  expect(ended.err).toContain("somebody changed it since: description");
  expect(await readFile(folder, "utf8")).toContain("description: Mine");
  expect(await names("repos", uid)).toEqual(["aaa", "web"]);
});

const digestOfFile = async (path: string): Promise<string> => {
  const { createHash } = await import("node:crypto");
  return `sha256:${createHash("sha256")
    .update(await readFile(path))
    .digest("hex")}`;
};

test("after kill -9 it goes on, with each act done once; another plan is refused under its journal", async () => {
  const { uid, directory, folder, plan, journal } = await organization("killed");
  const wanted = Array.from({ length: 30 }, (_, index) => `repo-${String(index).padStart(2, "0")}`);
  await edit(folder, (text) =>
    text.replace("repos:", `repos:\n${wanted.map((one) => `  - name: ${one}`).join("\n")}`),
  );
  await run("plan", directory, "--out", plan);
  let kills = 0;
  for (const after of [0, 1, 3, 5]) {
    const { child, ended } = terminal.start(["apply", plan, "--yes"], { env: env() });
    let seen = "";
    child.stdout?.on("data", (part: Buffer) => {
      seen += part.toString();
      if (child.exitCode === null && seen.split("\n").length > after + 1 && child.kill("SIGKILL")) kills += 1;
    });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await ended).code).toBeNull();
  }
  expect(kills).toBe(4);
  const text = await readFile(plan, "utf8");
  await writeFile(plan, text.replace('"manage": []', '"manage": [ ]'));
  const other = await run("apply", plan, "--yes");
  expect(other).toMatchObject({ code: 2, out: "" });
  expect(other.err).toContain("isn't carried out to its end");
  await writeFile(plan, text);
  const done = await run("apply", plan, "--yes");
  expect(done).toMatchObject({ code: 0 });
  expect(linesOf(done).at(-1)).toBe("30 of 30 steps are done.");
  expect(await names("repos", uid)).toEqual([...wanted, "web"]);
  expect(await madeOf(uid, "repos.create")).toEqual(
    Object.fromEntries([...wanted, "web"].map((one) => [one, 1])),
  );
  expect((await readFile(journal, "utf8")).trimEnd().split("\n").at(-1)).toContain('"end":"done"');
});

test("what needs a refused step is not tried, and the rest is done", async () => {
  const { uid, directory, folder, plan } = await organization("refused");
  await edit(folder, (text) => text.replace("repos:", "repos:\n  - name: UPPER\n  - name: fine"));
  await writeFile(
    join(directory, "refused/_folder.yaml"),
    `${await readFile(join(directory, "refused/_folder.yaml"), "utf8")}identities: [{name: NO, claimMatch: {issuer: "${service.issuer.url}", subject: x}}]\n`.replace(
      "roleBindings:",
      "roleBindings:\n  - {identity: {name: NO}, role: {name: pusher}}",
    ),
  );
  await run("plan", directory, "--out", plan);
  // A command that was killed while it began.
  await writeFile(`${plan}.journal`, '{"time":');
  const ended = await run("apply", plan, "--yes", "--state", directory);
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.err).toContain("1 of 4 steps are done. 2 refused, 1 not tried.");
  expect(linesOf(ended)).toEqual([
    expect.stringContaining("+ create identity refused/NO: refused: INVALID_ARGUMENT:"),
    expect.stringContaining("    name: "),
    '+ create role binding refused/NO, pusher: not tried, since it needs "create identities refused/NO"',
    expect.stringContaining("+ create repo refused/runtime/UPPER: refused: INVALID_ARGUMENT:"),
    expect.stringContaining("    name: "),
    "+ create repo refused/runtime/fine",
  ]);
  // What was refused is tried again; what was done is not.
  const again = await run("apply", plan, "--yes");
  expect(again).toMatchObject({ code: 1 });
  expect(again.err).toContain("1 of 4 steps are done. 2 refused, 1 not tried.");
  expect(linesOf(again)).toEqual(linesOf(ended).slice(0, -1));
  expect(await names("repos", uid)).toEqual(["fine", "web"]);
  expect(await readFile(folder, "utf8")).toContain("name: UPPER");
});

test("an organization that is gone is made anew", async () => {
  const { uid, directory, plan, runtime, web, role } = await organization("gone");
  const robot = await make(
    "identity",
    runtime,
    "name=robot",
    `claimMatch.issuer=${service.issuer.url}`,
    "claimMatch.subject=robot",
  );
  await make("role-binding", runtime, `identityUid=${robot}`, `roleUid=${role}`);
  await run("snapshot", "--scope", uid, "--split", directory, "--yaml");
  await edit(join(directory, "gone/_folder.yaml"), (text) => `# Ours.\n${text}`);
  const bindings: { uid: string }[] = json(
    await run("list", "role-bindings", `--uidp.descendants_of=${runtime}`, "--all", "-o", "json"),
  );
  for (const [kind, one] of [
    ...bindings.map((found) => ["role-binding", found.uid] as const),
    ["repo", web],
    ["identity", robot],
    ["role", role],
    ["group", runtime],
    ["group", uid],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- in the order of the teardown
    expect(await run("delete", kind, one, "--yes")).toMatchObject({ code: 0 });
  expect(await run("snapshot", "--scope", uid)).toMatchObject({ code: 1, out: "" });
  const unasked = await run("plan", directory);
  expect(unasked).toMatchObject({ code: 1, out: "" });
  expect(unasked.err).toContain("If the organization gone was deleted: --anew plans to make it again.");
  expect(await run("drift", directory)).toMatchObject({ code: 1, out: "" });
  const planned = await run("plan", directory, "--anew", "-o", "table", "--out", plan);
  expect(planned.err).toBe("");
  expect(planned.out).toContain("! groups gone: it isn't there, or you can't see it");
  const done = await run("apply", plan, "--yes", "--state", directory);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(linesOf(done)).toContain("+ create role binding gone/ada, owner: it is so already");
  expect(json(await run("plan", directory, "-o", "json"))).toMatchObject({ steps: [], said: [] });
  const text = await readFile(join(directory, "gone/_folder.yaml"), "utf8");
  expect(text).toContain("# Ours.");
  expect(text).not.toContain(uid);
});

test.each([
  [["apply"], "PLANFILE is missing"],
  [["apply", "/nowhere"], "can't be read"],
  [["apply", "docs", "--yes"], "platform plan docs --out plan.json"],
  [["apply", "package.json", "--yes"], "isn't a plan"],
  [["apply", "README.md", "--yes"], "isn't valid JSON"],
])("%j is not how it is written", async (args, sentence) => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(ended.err).toContain(sentence);
});

test("a plan of another service, or of a state that was edited since, is refused", async () => {
  const { directory, folder, plan } = await organization("elsewhere");
  await edit(folder, (text) => text.replace("description: Web", "description: Site"));
  await run("plan", directory, "--out", plan);
  await edit(folder, (text) => text.replace("description: Site", "description: Later"));
  const edited = await run("apply", plan, "--yes", "--state", directory);
  expect(edited).toMatchObject({ code: 2, out: "" });
  expect(edited.err).toContain("is not as it was when the plan was made");
  await edit(plan, (text) => text.replace(service.url, "https://api.example"));
  const other = await run("apply", plan, "--yes");
  expect(other).toMatchObject({ code: 2, out: "" });
  expect(other.err).toContain("This plan is for https://api.example");
});
