import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as slowly } from "node:timers/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startService, type TestService } from "../../server/testing/service";
import { KINDS, nameOf } from "./records/kinds";
import { loginAs, terminalAt, type Ended, type Terminal } from "./testing/terminal";

const PASSWORD = "correct horse battery";
let service: TestService;
let home: string;
let terminal: Terminal;
/** The organization of the person at the terminal. */
let organization: string;

const sessionsFile = () => join(home, "platform/sessions.json");
const kept = async () =>
  JSON.parse(await readFile(sessionsFile(), "utf8")) as {
    current?: string;
    servers: Record<
      string,
      { accessToken: string; refreshToken: string; expiresAt: number; clientId: string }
    >;
  };
const json = ({ out, err }: Ended): never => {
  if (out === "") throw new Error(err);
  return JSON.parse(out) as never;
};
const run = (...args: string[]) => terminal.run(args);
const fields = (...values: string[]) => values.flatMap((value) => ["--field", value]);

beforeAll(async () => {
  service = await startService({ REGISTRY_HOST: "registry.example", ACCESS_TOKEN_TTL: "120" });
  home = await mkdtemp(join(tmpdir(), "command-"));
  terminal = terminalAt(home);
  execFileSync(process.execPath, ["tools/build.mjs", "--stale", "command"], { stdio: "inherit" });
  expect(
    await loginAs(terminal, service.url, { email: "ada@example.com", password: PASSWORD }),
  ).toMatchObject({
    code: 0,
    out: "",
  });
  const made: { uid: string } = json(await run("create", "group", "--field", "name=acme"));
  organization = made.uid;
});
afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true, force: true });
});

test("a sign-in is kept where only its owner can read it", async () => {
  await chmod(join(home, "platform"), 0o755);
  // Any change of the file sets the rights right.
  expect((await run("logout", "--server", "http://127.0.0.1:1")).code).toBe(0);
  expect((await stat(join(home, "platform"))).mode & 0o777).toBe(0o700);
  expect((await stat(sessionsFile())).mode & 0o777).toBe(0o600);
  expect(json(await run("whoami"))).toMatchObject({ server: `${service.url}/`, email: "ada@example.com" });
});

test("every kind is listed, and one that is not there is refused, by every name it has", async () => {
  const missing = `${"0".repeat(40)}/${"0".repeat(16)}`;
  const all = await Promise.all(
    KINDS.map(async (kind) => ({
      kind: nameOf(kind),
      listed: await run("list", nameOf(kind), "-o", "table"),
      got: await run("get", kind.type, missing),
    })),
  );
  for (const { kind, listed, got } of all) {
    expect(listed, kind).toMatchObject({ code: 0, err: expect.stringMatching(/^(?:No .+ found\.\n)?$/) });
    expect(listed.err === "", kind).toBe(listed.out.trim().includes("\n"));
    expect(listed.out, kind).toMatch(/UID/);
    expect(got, kind).toMatchObject({ code: 1, out: "" });
    expect(got.err, kind).toMatch(/^platform: (?:NOT_FOUND|PERMISSION_DENIED): /);
  }
});

test("a record is created, read, listed, changed and deleted", async () => {
  const folder: { uid: string } = json(
    await run(
      "create",
      "groups",
      "--parent",
      organization,
      "--field",
      "name=runtime",
      "--field",
      "description=x",
    ),
  );
  const yaml = await run("get", "group", folder.uid, "-o", "yaml");
  expect(yaml.out).toContain("name: runtime\n");
  const table = await run("list", "groups", "--parent", organization, "--columns", "name,uid");
  expect(table.out).toBe(`NAME     UID\nruntime  ${folder.uid}\n`);
  expect(json(await run("list", "groups", "--parent", organization, "--name", "other"))).toEqual([]);

  // A record as it was read can be sent back.
  const file = join(home, "folder.yaml");
  await writeFile(file, yaml.out.replace("name: runtime", "name: base"));
  expect(json(await run("update", "group", folder.uid, "-f", file))).toMatchObject({
    name: "base",
    description: "x",
  });
  // Only what the mask has changes, and what it has and the record lacks is cleared.
  expect(
    json(await run("update", "group", folder.uid, "--mask", "description", "--field", "name=z")),
  ).toEqual(expect.not.objectContaining({ description: "x" }));
  expect(json(await run("get", "group", folder.uid))).toMatchObject({ name: "base" });
  const piped = await terminal.run(["update", "group", folder.uid, "-f", "-"], {
    input: '{"description":"piped"}',
  });
  expect(json(piped)).toMatchObject({ description: "piped" });

  expect(await run("delete", "group", folder.uid)).toMatchObject({ code: 2, out: "" });
  expect(await run("delete", "group", folder.uid, "--yes")).toEqual({ code: 0, out: "", err: "" });
  expect((await run("get", "group", folder.uid)).code).toBe(1);
});

test("fields with parts and lists are written by their paths", async () => {
  const claims = [`claimMatch.issuer=${service.issuer.url}`, "claimMatch.subject=ci"];
  const made: { uid: string } = json(
    await run("create", "identity", "--parent", organization, ...fields("name=ci", ...claims)),
  );
  expect(json(await run("get", "identity", made.uid))).toMatchObject({
    name: "ci",
    claimMatch: { issuer: service.issuer.url, subject: "ci" },
  });
  await run("update", "identity", made.uid, "--field", "claimMatch.subject=other");
  expect(json(await run("get", "identity", made.uid))).toMatchObject({
    claimMatch: { issuer: service.issuer.url, subject: "other" },
  });
  const repo: { uid: string } = json(
    await run("create", "repo", "--parent", organization, ...fields("name=web", "aliases=a", "aliases=b")),
  );
  expect(json(await run("get", "repo", repo.uid))).toMatchObject({ aliases: ["a", "b"] });
});

test("more rows than a page are read to the end, or to the limit", async () => {
  const names = Array.from({ length: 7 }, (_, index) => `many-${index}`);
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
    const made = await run("create", "repos", "--parent", organization, "--field", `name=${name}`);
    expect(made.code).toBe(0);
  }
  const some = await run(
    "list",
    "repos",
    "--parent",
    organization,
    "--limit",
    "3",
    "--order_by",
    "name desc",
  );
  expect((json(some) as { name: string }[]).map(({ name }) => name)).toEqual(["web", "many-6", "many-5"]);
  expect(some.err).toContain("Only the first 3 are shown.");
  expect(json(await run("list", "repos", "--parent", organization, "--all"))).toHaveLength(8);
});

test("a refusal has its code, its message and each field on standard error", async () => {
  const refused = await run("create", "repo", "--parent", organization, "--field", "name=UPPER");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toMatch(/^platform: INVALID_ARGUMENT: .+\n {2}name: must be lowercase/);
  const blocked = await run("delete", "group", organization, "--yes");
  expect(blocked).toMatchObject({ code: 1 });
  expect(blocked.err).toMatch(/FAILED_PRECONDITION.+\n {2}RESOURCE_NOT_EMPTY/);
});

test.each([
  [["lst"], "There is no command"],
  [["list", "reposs"], "There is no kind"],
  [["list", "repos", "--nam", "x"], "There is no option --nam. See platform list repos --help."],
  [["list", "repos", "--order-by", "name"], "There is no option --order-by. There is --order_by."],
  [["help", "lst"], "There is no command"],
  [["-o", "json", "list", "repos"], "-o comes after the command"],
  [["list", "repos", "--columns", "nmae"], 'repos have no field "nmae"; there are uid,'],
  [["list", "repos", "--columns", "name", "-o", "json"], "--columns is for tables"],
  [["list", "repos", "--parent", ""], '"" is no uid'],
  [["get", "repo", "python"], '"python" is no uid. To find one: platform list repos --name=python\n'],
  [["get", "role-binding", "x"], "platform list role-bindings\n"],
  [["get", "repo", ""], '"" is no uid'],
  [["delete", "repo", "", "--yes"], '"" is no uid'],
  [["update", "repo", "a".repeat(40), "--mask", "", "--field", "name=x"], "--mask takes the names of fields"],
  [["list", "repos", "--limit"], "--limit needs a value."],
  [["list", "repos", "--limit", "-3"], "--limit=-x"],
  [["delete", "repo", "x", "--yes=no"], "--yes takes no value."],
  [["list", "repos", "extra"], "one word too many"],
  [["list", "repos", "-o", "xml"], "--output takes"],
  [["list", "repos", "--all", "--limit", "3"], "contradict"],
  [["list", "repos", "--limit", "0"], "--limit takes"],
  [["get", "repo"], "UID is missing. Usage: platform get KIND UID\n"],
  [["create", "repo", "--field", "name=x"], "platform list groups prints them"],
  [["create", "repo", "--parent", "x"], "What should it be?"],
  [["create", "repo", "--parent", "x", "--field", "nme=x"], "there are name,"],
  [["create", "repo", "--parent", "x", "--field", "name"], "--field takes"],
  [["create", "repo", "--parent", "x", "-f", "/nowhere"], "can't be read"],
  [["create", "advisories", "--parent", "x", "--field", "name=x"], "can't create advisories"],
  [["update", "tag", "x", "--field", "name=x"], "create it again"],
  [["completion", "csh"], "bash, zsh, fish"],
  [["login", "--server", "http://console.example"], "has to begin with https://"],
])("%j is not how it is written", async (args, sentence) => {
  const ended = await run(...args);
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(ended.err).toContain(sentence);
});

test("without a sign-in, and with one that has ended, it says how to sign in", async () => {
  const elsewhere = terminalAt(join(home, "nobody"));
  const nobody = await elsewhere.run(["list", "repos", "--server", service.url]);
  expect(nobody).toMatchObject({ code: 3, out: "" });
  expect(nobody.err).toContain("platform login");
  expect((await elsewhere.run(["list", "repos"])).code).toBe(3);
  expect(await elsewhere.run(["login"])).toMatchObject({ code: 2, err: expect.stringContaining("--server") });
  expect(await elsewhere.run(["logout"])).toMatchObject({ code: 0, err: "You are not signed in.\n" });
  const wrong = await elsewhere.run(["list", "repos"], {
    env: { PLATFORM_TOKEN: "wrong", PLATFORM_SERVER: service.url },
  });
  expect(wrong).toMatchObject({ code: 3 });
  expect(wrong.err).toMatch(/^platform: UNAUTHENTICATED: /);
  // Another sign-in would not be used.
  expect(wrong.err).toContain("PLATFORM_TOKEN is used");
  expect(wrong.err).not.toContain("platform login");
});

test("the advice to sign in names the console that was meant", async () => {
  const ended = await terminal.run(["list", "repos", "--server", "http://127.0.0.1:1"]);
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.err).toContain("platform login --server http://127.0.0.1:1/\n");
});

test("a token from the environment that can't be one, or is for no console, is said to be so", async () => {
  const nobody = terminalAt(join(home, "nobody"));
  const broken = { PLATFORM_TOKEN: "a\nb", PLATFORM_SERVER: service.url };
  expect(await nobody.run(["list", "repos"], { env: broken })).toMatchObject({
    code: 2,
    err: expect.stringContaining("PLATFORM_TOKEN is no token"),
  });
  expect(await nobody.run(["list", "repos"], { env: { PLATFORM_TOKEN: "a" } })).toMatchObject({
    code: 2,
    err: expect.stringContaining("PLATFORM_SERVER"),
  });
  // As a file has it.
  const token = `${await service.token("robot")}\n`;
  expect(
    await nobody.run(["list", "groups"], { env: { PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url } }),
  ).toMatchObject({ code: 0 });
});

test("a misspelt field in a file is refused, and not dropped", async () => {
  for (const input of [
    "name: misspelt\nnmae: x\n",
    "name: misspelt\nsync_config: {sorce: x}\n",
    "toString: x",
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    const made = await terminal.run(["create", "repo", "--parent", organization, "-f", "-"], { input });
    expect(made, input).toMatchObject({ code: 2, out: "" });
    expect(made.err, input).toMatch(/have no field "(?:nmae|sync_config\.sorce|toString)"; there are name,/);
  }
  expect(json(await run("list", "repos", "--parent", organization, "--name", "misspelt"))).toEqual([]);
});

test("only of what may have changed something it says that it may have", async () => {
  const config: unknown = await (await fetch(`${service.url}/config.json`)).json();
  const front = createServer((request, response) => {
    if (request.url === "/config.json") response.end(JSON.stringify({ ...Object(config), apiBaseUrl: "." }));
    else request.socket.destroy();
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const server = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const env = { PLATFORM_TOKEN: "any", PLATFORM_SERVER: server };
  const read = await terminal.run(["get", "repo", organization], { env });
  const written = await terminal.run(["delete", "repo", organization, "--yes"], { env });
  front.closeAllConnections();
  front.close();
  expect([read.code, written.code]).toEqual([4, 4]);
  expect(read.err).not.toContain("look before you repeat it");
  expect(written.err).toContain("look before you repeat it");
  expect(read.err).toMatch(/can't be reached\.\n {2}\w/);
});

test("a sign-in that others can read, that is damaged, or that can't be kept, is said to be so", async () => {
  await chmod(sessionsFile(), 0o644);
  const told = await run("whoami");
  expect(told).toMatchObject({ code: 0, err: expect.stringContaining("Others on this machine could read") });
  expect((await stat(sessionsFile())).mode & 0o777).toBe(0o600);
  expect(await run("whoami")).toMatchObject({ code: 0, err: "" });
  const before = await readFile(sessionsFile(), "utf8");
  for (const text of ["x", "[]", "null", '{"servers":{"https://a.example/":5},"current":7}']) {
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(sessionsFile(), text);
    // oxlint-disable-next-line no-await-in-loop
    const damaged = await run("whoami");
    expect(damaged, text).toMatchObject({ code: 5, out: "" });
    expect(damaged.err, text).toContain("Delete it and sign in again.");
  }
  await writeFile(sessionsFile(), before);
  const unkept = await terminal.run(["login", "--server", service.url, "--no-browser"], {
    env: { XDG_CONFIG_HOME: sessionsFile() },
  });
  expect(unkept).toMatchObject({ code: 2, out: "" });
  // Before anybody signs in.
  expect(unkept.err).toMatch(/^platform: .*sessions\.json\/platform.* can't be /);
});

test("a service that is not there, and an address that is no console, are told apart", async () => {
  const env = { PLATFORM_TOKEN: "any" };
  const away = await terminal.run(["list", "repos", "--server", "http://127.0.0.1:1"], { env });
  expect(away).toMatchObject({ code: 4, out: "" });
  expect(away.err).toMatch(/^platform: 127.0.0.1:1 can't be reached: .*\w.*\.\n$/);
  const other = await terminal.run(["list", "repos", "--server", service.issuer.url], { env });
  expect(other).toMatchObject({ code: 5 });
  expect(other.err).toContain("not the configuration of a console");
});

test("a token from the environment is used and not stored", async () => {
  const robot = terminalAt(join(home, "robot"));
  const token = await service.token("robot");
  const env = { PLATFORM_TOKEN: token, PLATFORM_SERVER: service.url };
  expect(await robot.run(["list", "groups"], { env })).toMatchObject({ code: 0, out: "[]\n" });
  expect(json(await robot.run(["whoami"], { env }))).toMatchObject({
    subject: "robot",
    token: "PLATFORM_TOKEN",
  });
  await expect(stat(join(home, "robot"))).rejects.toThrow("ENOENT");
});

test("a name with control characters cannot drive the terminal", async () => {
  const evil = "\u001b]0;owned\u0007\u009b31m\u202ex";
  const made: { uid: string } = json(
    await terminal.run(["create", "group", "--parent", organization, "-f", "-"], {
      input: JSON.stringify({ name: "evil", description: evil }),
    }),
  );
  for (const format of ["json", "yaml", "table"]) {
    const columns = format === "table" ? ["--columns", "name,description"] : [];
    // oxlint-disable-next-line no-await-in-loop
    const { out } = await run("get", "group", made.uid, "-o", format, ...columns);
    // oxlint-disable-next-line no-control-regex
    expect(out, format).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out, format).toMatch(/owned/);
  }
  expect(json(await run("get", "group", made.uid))).toMatchObject({ description: evil });
  const { err } = await run("get", "group", "\u001b[2J");
  // oxlint-disable-next-line no-control-regex
  expect(err).not.toMatch(/\u001b/);
});

/** Lets the kept access token look as if it ended in a moment. */
async function makeOld(): Promise<string> {
  const sessions = await kept();
  const [own] = Object.values(sessions.servers);
  if (!own) throw new Error("nobody is signed in");
  own.expiresAt = Date.now() + 1_000;
  await writeFile(sessionsFile(), JSON.stringify(sessions));
  return own.refreshToken;
}

test("commands at the same time replace a token once, and all of them work", async () => {
  // An issuer without mercy: a token that comes twice ends everything.
  let current = "r-0";
  const used: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    response.setHeader("content-type", "application/json");
    const issuer = `http://${request.headers.host}`;
    if (request.method === "GET")
      return void response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token` }));
    const sent = new URLSearchParams(body).get("refresh_token") ?? "";
    used.push(sent);
    if (sent !== current) return void response.writeHead(400).end('{"error":"invalid_grant"}');
    current = `r-${used.length}`;
    // Long enough that the other commands would ask too.
    await slowly(2_000);
    const access_token = await service.token("robot");
    response.end(
      JSON.stringify({ access_token, token_type: "bearer", expires_in: 300, refresh_token: current }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const files = join(home, "together");
  const shared = terminalAt(files);
  await mkdir(join(files, "platform"), { recursive: true });
  const own = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: "any",
    accessToken: "old",
    refreshToken: current,
    expiresAt: Date.now(),
    who: { subject: "robot" },
  };
  const url = `${service.url}/`;
  await writeFile(
    join(files, "platform/sessions.json"),
    JSON.stringify({ current: url, servers: { [url]: own } }),
  );
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => shared.run(["list", "roles", "--limit", "1"])),
  );
  server.closeAllConnections();
  server.close();
  expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, expect.any(String)]));
  expect(used).toEqual(["r-0"]);
  expect(await readFile(join(files, "platform/sessions.json"), "utf8")).toContain('"r-1"');
});

test("a token near its end is replaced by the service's own issuer", async () => {
  const before = await makeOld();
  expect((await run("list", "roles", "--limit", "1")).code).toBe(0);
  const [own] = Object.values((await kept()).servers);
  expect(own?.refreshToken).not.toBe(before);
});

test("a refused token is replaced once", async () => {
  const sessions = await kept();
  for (const own of Object.values(sessions.servers)) own.accessToken = "refused";
  await writeFile(sessionsFile(), JSON.stringify(sessions));
  expect((await run("list", "roles", "--limit", "1")).code).toBe(0);
});

test("the helper gives docker a token for the registry's host, and for no other", async () => {
  const ask = (verb: string, input: string) => terminal.run([verb], { program: "docker", input });
  const [own] = Object.values((await kept()).servers);
  expect(json(await ask("get", "registry.example"))).toEqual({
    ServerURL: "registry.example",
    Username: "platform",
    Secret: own?.accessToken,
  });
  expect(await ask("get", "https://registry.example.evil/")).toMatchObject({
    code: 1,
    out: "credentials not found in native keychain",
  });
  expect(json(await ask("list", ""))).toEqual({ "registry.example": "platform" });
  expect(await ask("erase", "registry.example")).toMatchObject({ code: 0, out: "" });
  expect((await ask("store", "{}")).out).toContain("platform login");
});

test("each shell is told what can follow", async () => {
  const after = async (...typed: string[]) => (await run("complete", "--", ...typed)).out.trim().split("\n");
  expect(await after("li")).toEqual(["list"]);
  expect(await after("get", "re")).toEqual(["repos"]);
  expect(await after("list", "tags", "--uidp.c")).toEqual(["--uidp.children_of"]);
  expect(await after("list", "tags", "-o", "y")).toEqual(["yaml"]);
  expect(await after("completion", "")).toEqual(["bash", "zsh", "fish"]);
  for (const shell of ["bash", "zsh", "fish"]) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await run("completion", shell)).out).toContain("platform complete --");
  }
});

test("every command has its help", async () => {
  const { out } = await run("--help");
  for (const name of [
    "login",
    "logout",
    "whoami",
    "get",
    "list",
    "create",
    "update",
    "delete",
    "completion",
  ]) {
    expect(out).toContain(`  ${name} `);
    // oxlint-disable-next-line no-await-in-loop
    const help = await run(name, "--help");
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(new RegExp(`^Usage: platform ${name}[^]*Exit codes:`));
  }
  expect((await run("list", "role-bindings", "--help")).out).toContain("--identity VALUE");
  expect((await run("create", "identity", "--help")).out).toMatch(
    /Fields of identities:\n[^]*claimMatch\.subject +\w/,
  );
});

test("signing out revokes the tokens and removes them", async () => {
  const before = await kept();
  const [own] = Object.values(before.servers);
  expect(await run("logout")).toMatchObject({ code: 0, err: `You are signed out of ${service.url}/.\n` });
  expect((await kept()).servers).toEqual({});
  const body = new URLSearchParams({
    client_id: "platform-command",
    grant_type: "refresh_token",
    refresh_token: own?.refreshToken ?? "",
  });
  const again = await fetch(`${service.url}/oidc/token`, { method: "POST", body });
  expect(await again.json()).toMatchObject({ error: "invalid_grant" });
  expect((await run("list", "repos", "--server", service.url)).code).toBe(3);
  // What was kept elsewhere meanwhile is worth nothing.
  await writeFile(sessionsFile(), JSON.stringify(before));
  await makeOld();
  const ended = await run("list", "repos");
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.err).toContain("Sign in again: platform login");
});
