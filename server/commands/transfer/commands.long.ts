import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPostgres } from "../../platform/store/postgres";
import { migrate } from "../../platform/store/migrate";
import { insertRow } from "../../platform/store/table";
import { personUid } from "../../platform/store/uids";
import { commandLine, startBuilt, surroundings } from "../../testing/built-service";
import { databaseOn, ownPostgres, type OwnPostgres } from "../../testing/postgres";
import { readLines } from "../../testing/transfer";

/** Far less than the rows take: a command that keeps them all in memory runs out of it. */
const HEAP_MB = 64;
const ROWS = 200_000;

let directory: string;
let server: OwnPostgres;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "commands-"));
  server = await ownPostgres();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const at = (name: string): string => path.join(directory, name);

async function run(
  name: "export" | "import" | "move" | "reset-password",
  options: readonly string[],
  place: Record<string, string>,
) {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, ...commandLine(name, ...options)],
    {
      env: { ...surroundings(), ...place },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let [said, printed] = ["", ""];
  child.stdout.on("data", (data) => (printed += String(data)));
  child.stderr.on("data", (data) => (said += String(data)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said, printed };
}

const onPostgres = () => ({ DATABASE_URL: server.url });
const embedded = (name: string) => ({ DATA_DIR: at(name) });

test("two hundred thousand rows go from PostgreSQL to the embedded database and out again, in little memory", async () => {
  const database = await openPostgres(server.url);
  await migrate(database);
  await database.query(
    `insert into identities (uid, name, description, relationship, definition, created_at, updated_at)
     select md5(n::text) || '00000000', 'identity ' || n, repeat('x', 200), 'claimMatch', '{}', now(), now()
     from generate_series(1, ${ROWS}) n`,
  );
  await database.close();
  const [first, second] = [at("first"), at("second")];
  expect(await run("export", ["--to", first], onPostgres())).toMatchObject({
    code: 0,
    said: expect.stringMatching(/identities +50,000 of 200,000\n(.*\n)*.*password hashes/),
  });
  expect((await stat(first)).mode & 0o777).toBe(0o600);
  expect(await run("import", ["--from", first], embedded("data"))).toMatchObject({ code: 0 });
  expect(await run("export", ["--to", second], embedded("data"))).toMatchObject({ code: 0 });
  const [before, after] = [await readLines(first), await readLines(second)];
  expect(before.length).toBe(ROWS + 2);
  expect(after.slice(1, -1).join("\n") === before.slice(1, -1).join("\n")).toBe(true);
});

test("what cannot be done is said in a sentence, and changes nothing", async () => {
  expect(await run("export", [], {})).toMatchObject({
    code: 2,
    said: expect.stringContaining("--to <file>"),
  });
  expect(await run("import", ["--form", "x"], {})).toMatchObject({ code: 2 });
  const whole = at("first");
  expect(await run("export", ["--to", whole], onPostgres())).toEqual({
    code: 1,
    printed: "",
    said: `Nothing was exported: ${whole}: it already exists.\n`,
  });
  expect(await run("export", ["--to", at("none")], embedded("nowhere"))).toEqual({
    code: 1,
    printed: "",
    said: `Nothing was exported: DATA_DIR: ${at("nowhere")} does not contain a database.\n`,
  });
  expect(await run("import", ["--from", whole], onPostgres())).toMatchObject({
    code: 1,
    said: expect.stringContaining("the database is not empty (rows: 200000 in identities"),
  });
  await truncate(whole, (await stat(whole)).size - 100);
  expect(await run("import", ["--from", whole], embedded("new"))).toEqual({
    code: 1,
    printed: "",
    said: `Nothing was imported: ${whole} is truncated.\n`,
  });
  const service = await startBuilt({ ...embedded("data"), PORT: "0" });
  const to = ["--public-url", "https://new.example/"];
  expect(await run("move", to, { ...embedded("data"), PUBLIC_URL: service.url })).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      new RegExp(`in use by process ${service.pid}.* stop the service before moving`),
    ),
  });
  expect(await run("export", ["--to", at("online")], embedded("data"))).toMatchObject({ code: 0 });
  await service.end("SIGTERM");
  expect((await readdir(directory)).toSorted()).toEqual(["data", "first", "online", "second"]);
});

test("a move says what it changes and which passkeys stop working, after a dry run that changed nothing", async () => {
  const { url, stop } = await databaseOn(server.url);
  const database = await openPostgres(url);
  await migrate(database);
  await database.query(
    `insert into passkeys
     (uid, subject, name, host, credential_id, public_key, counter, transports, synced, created_at)
     select n::text, 'ada', 'Key ' || n, 'localhost', n::text, 'x', 0, '{}', false, now()
     from generate_series(1, 2) n`,
  );
  const [from, to] = ["http://localhost:8080/", "https://new.example/"];
  const issuer = `${from}oidc`;
  await insertRow(database, "identities", {
    uid: personUid(issuer, "ada"),
    name: "Ada",
    relationship: "",
    definition: {},
    issuer,
    subject: "ada",
  });
  await database.close();
  const place = { DATABASE_URL: url, PUBLIC_URL: from };
  const what =
    /people of its provider +1\n(.*\n)*2 passkeys of 1 person will not work at the new host: they need an/;
  const dry = await run("move", ["--public-url", to, "--dry-run"], place);
  expect(dry).toMatchObject({ code: 0, said: expect.stringMatching(what) });
  expect(dry.said).toContain("Nothing was changed. This is what would change from");
  const moved = await run("move", ["--public-url", to], place);
  expect(moved).toMatchObject({ code: 0, said: expect.stringMatching(what) });
  expect(moved.said).toMatch(/Moved from \S+ to \S+ Set PUBLIC_URL to it before the next start\./);
  await stop();
});

test.each(["export", "import", "move", "reset-password"] as const)(
  "%s prints its usage: on standard output if asked, else on standard error with status 2",
  async (name) => {
    const usage = expect.stringContaining(`platform-console ${name} --`);
    expect(await run(name, ["--help"], {})).toEqual({ code: 0, printed: usage, said: "" });
    expect(await run(name, ["--wrong"], {})).toEqual({ code: 2, printed: "", said: usage });
  },
);
