import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { signIn, signUp } from "../../platform/oidc/testing";
import type { Database } from "../../platform/store/database";
import { openDatabase } from "../../platform/store/open";
import { personUid } from "../../platform/store/uids";
import { placeFor } from "../../testing/database";
import { startService } from "../../testing/service";
import { quoted } from "./catalog.table";
import { CannotMove, readdress } from "./readdress";

const ADA = { email: "ada@demo.example", password: "correct horse battery" };
const EVE = { email: "eve@demo.example", password: "correct horse battery" };

let directory: string;
let place: Awaited<ReturnType<typeof placeFor>>;
let from: string;
let ada: string;
const variables = () => ({ DATA_DIR: directory, ...place.variables });

const subjectOf = (token: string): string =>
  String((JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string }).sub);

/** Opens the database without a service. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({
    dataDir: directory,
    databaseUrl: place.variables["DATABASE_URL"],
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "move-"));
  place = await placeFor(directory);
  const service = await startService(variables());
  from = `${service.url}/oidc`;
  const { accessToken: token } = await signUp(service.url, { ...ADA, name: "Ada" });
  ada = personUid(from, subjectOf(token));
  const { json: group } = await service.call("POST", "/iam/v2/groups", { token, body: { name: "moving" } });
  const uid = String(group["uid"]);
  const { accessToken: other } = await signUp(service.url, EVE);
  const eve = personUid(from, subjectOf(other));
  await service.call("GET", "/iam/v2/groups", { token: other });
  const { json: roles } = await service.call("GET", "/iam/v2/roles?name=viewer", { token });
  const [viewer] = roles["roles"] as unknown as { uid: string }[];
  for (const [target, body] of [
    [`/iam/v2/roleBindings/${uid}`, { identityUid: eve, roleUid: viewer?.uid }],
    [`/iam/v2/groupInvites/${uid}`, { roleUid: viewer?.uid, ttl: "86400s" }],
  ] as const) {
    const answer = await service.call("POST", target, { token, body });
    expect([target, answer.status, answer.json]).toEqual([target, 200, expect.anything()]);
  }
  const accept = await service.call("POST", `/iam/v2/groups/${uid}:acceptAccess`, { token: other, body: {} });
  expect(accept.status).toBe(200);
  await service.stop();
});
afterAll(async () => {
  await place.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Tables with a row that has this text anywhere. */
async function tablesWith(database: Database, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `select 1 from ${quoted(name)} t where strpos(t::text, $1) > 0 limit 1`;
    if ((await database.query(sql, [text])).length > 0) found.push(name);
  }
  return found;
}

test("a dry run says what would change, and changes nothing", async () => {
  await withDatabase(async (database) => {
    const all = () => database.query("select * from identities order by uid");
    const before = await all();
    const moved = await readdress(database, from, "https://new.example/oidc", { dryRun: true });
    expect(moved).toMatchObject({ people: 2, organizations: 1 });
    expect(Object.fromEntries(moved.references)).toMatchObject({ role_bindings: 2, group_invites: 2 });
    expect(await all()).toEqual(before);
    expect(await tablesWith(database, "installation.move")).toEqual([]);
    await expect(
      readdress(database, "https://typo.example/oidc", "https://new.example/oidc"),
    ).rejects.toThrow(new CannotMove("nobody has signed in at https://typo.example/oidc yet"));
  });
});

test("after a move everybody has their roles at the new address, and nothing else names the old one", async () => {
  // A port of its own, which a start then has.
  const probe = await startService();
  const { port } = new URL(probe.url);
  await probe.stop();
  const to = `http://127.0.0.1:${port}/oidc`;
  await withDatabase(async (database) => {
    await readdress(database, from, to);
    const log = ["audit_entries"];
    // Entries are still found by the uids of their time, and nobody can ask for what was before the move.
    const then = ["record_horizons", "record_states"];
    expect(await tablesWith(database, ada)).toEqual([...log, "audit_subjects", "moved_people", ...then]);
    expect((await tablesWith(database, from)).filter((name) => name !== "pattern_revisions")).toEqual(log);
    await expect(readdress(database, from, to)).rejects.toThrow("nobody has signed in at");
  });

  const service = await startService({ ...variables(), PORT: port });
  const { accessToken: token } = await signIn(service.url, ADA);
  const { json: groups } = await service.call("GET", "/iam/v2/groups", { token });
  expect(groups["groups"]).toMatchObject([{ name: "moving" }]);
  const made = await service.call("POST", "/iam/v2/groups", { token, body: { name: "second" } });
  expect(made.status).toBe(200);
  const { json: bindings } = await service.call("GET", "/iam/v2/roleBindings", { token });
  expect(JSON.stringify(bindings)).toContain(personUid(to, subjectOf(token)));
  const { json: entries } = await service.call("GET", "/audit/v1/entries?page_size=200", { token });
  expect(entries["auditEntries"]).toContainEqual(
    expect.objectContaining({
      action: "installation.move",
      changes: [{ field: "issuer", before: JSON.stringify(from), after: JSON.stringify(to) }],
    }),
  );
  const { accessToken: viewer } = await signIn(service.url, EVE);
  const seen = await service.call("GET", "/iam/v2/groups", { token: viewer });
  expect(seen.json["groups"]).toMatchObject([{ name: "moving" }]);
  await service.stop();
});
