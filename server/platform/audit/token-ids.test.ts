import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { GrpcClient } from "../../testing/grpc";
import type { Person, Wire } from "../../conformance/world";
import { openLogged } from "./testing";
import { verifyLog } from "./verify";

let { world, owner, organization, folder, fresh } = {} as Awaited<ReturnType<typeof openLogged>>;
let grpc: GrpcClient;
let ci: string;

beforeAll(async () => {
  ({ world, owner, organization, folder, fresh } = await openLogged());
  ci = await world.create(owner, "identities", folder, { name: "ci", ...world.claims("ci") });
  await world.bind(owner, folder, ci, "owner");
  grpc = new GrpcClient(world.service.url);
});
afterAll(async () => {
  grpc.close();
  await world.service.stop();
});

const withToken = (token: string): Person => ({ uid: owner.uid, token });
const mine = async (jti: unknown) => withToken(await world.service.token("owner", { jti: jti as string }));
const external = async (jti: string) => withToken(await world.machine("ci", { jti }));
const idsIn = (entries: readonly Wire[]) => entries.map(({ action, actor }) => [action, actor?.["jti"]]);

/** A folder, made and refused twice: for another of its name, and where the caller may not. */
async function writeWith(by: Person, name: string) {
  const body = { name };
  await world.make(by, "groups.create", { parent: folder, body });
  await world.send(by.token, "groups.delete", { uid: folder });
}

test("entries and refusals have the id of the token: its own provider's, and an external issuer's", async () => {
  await fresh();
  await writeWith(await mine("own-1"), "own");
  await writeWith(await external("external-1"), "external");
  expect(idsIn(await fresh())).toEqual([
    ["groups.create", "own-1"],
    ["groups.delete", "own-1"],
    ["groups.create", "external-1"],
    ["groups.delete", "external-1"],
  ]);
  const stranger = withToken(await world.service.token("stranger", { jti: "denied-1" }));
  await world.send(stranger.token, "groups.create", { parent: folder, body: { name: "no" } });
  expect(await fresh()).toMatchObject([{ outcome: "OUTCOME_DENIED", actor: { jti: "denied-1" } }]);
});

test("a token from an exchange has an id, which the entry of the exchange tells beside that of the first", async () => {
  await fresh();
  const answer = await world.service.call("POST", `/sts/exchange?identity=${encodeURIComponent(ci)}`, {
    token: (await external("first-1")).token,
  });
  const { token } = answer.json as unknown as { token: string };
  const { jti } = decodeJwt(token);
  expect(jti).toMatch(/^[0-9a-f-]{36}$/);
  await writeWith(withToken(token), "exchanged");
  const entries = await fresh();
  expect(idsIn(entries)).toEqual([
    ["tokens.exchange", "first-1"],
    ["groups.create", jti],
    ["groups.delete", jti],
  ]);
  expect(entries[0]).toMatchObject({ changes: [{ field: "jti", after: JSON.stringify(jti) }] });
});

test.each<[string, unknown]>([
  ["none", undefined],
  ["an empty one", ""],
  ["a number", 5],
  ["an object", { toString: "x" }],
  ["a list", ["a"]],
  ["NUL", "a\0b"],
  ["a line break", "a\nb"],
  ["a line separator", "a\u2028b"],
  ["an escape sequence", "\u001b[31m"],
  ["half of a surrogate pair", "\ud800"],
  ["more than 200 bytes", "ä".repeat(101)],
])("a token with %s as its id is taken, and its entry has no id", async (_what, jti) => {
  await fresh();
  const by = await mine(jti);
  await world.make(by, "groups.update", { uid: folder, body: { description: String(Math.random()) } });
  expect(idsIn(await fresh())).toEqual([["groups.update", undefined]]);
});

test("an id of 200 bytes is kept whole, whatever it says, and the log verifies", async () => {
  await fresh();
  const jti = `'"<b>%\\ ${"ä".repeat(96)}`;
  await world.make(await mine(jti), "groups.update", { uid: folder, body: { description: "kept" } });
  const [entry] = await fresh();
  expect(entry).toMatchObject({ actor: { jti } });
  const query = { jti };
  expect((await world.make(owner, "auditEntries.list", { query }))["auditEntries"]).toEqual([entry]);
  const { database } = world.service;
  expect((await verifyLog(database)).faults).toEqual([]);
});

test("the list is filtered by it, also with other filters, and shows nobody more than before", async () => {
  await writeWith(await mine("filtered-1"), "filtered");
  const list = async (by: Person, query: Record<string, string>) =>
    (await world.make(by, "auditEntries.list", { query }))["auditEntries"] as Wire[];
  expect(idsIn(await list(owner, { jti: "filtered-1", order_by: "created_at" }))).toEqual([
    ["groups.create", "filtered-1"],
    ["groups.delete", "filtered-1"],
  ]);
  const denied = { jti: "filtered-1", outcome: "OUTCOME_REFUSED", actor: owner.uid, record: folder };
  expect(idsIn(await list(owner, denied))).toEqual([["groups.delete", "filtered-1"]]);
  expect(await list(owner, { jti: "filtered" })).toEqual([]);
  expect(await list(await world.person("nobody here"), { jti: "filtered-1" })).toEqual([]);
  const other = await world.create(owner, "groups", "", { name: "another organization" });
  expect(await list(owner, { jti: "filtered-1", "uidp.descendants_of": other })).toEqual([]);
});

test("over gRPC it is recorded, answered and filtered by too", async () => {
  await fresh();
  const { token } = await external("grpc-1");
  await grpc.call(
    "iam.v2.GroupsService/CreateGroup",
    { parent: folder, group: { name: "by grpc" } },
    { token },
  );
  expect(await fresh()).toMatchObject([{ actor: { jti: "grpc-1" }, request: { transport: "grpc" } }]);
  const { message } = await grpc.call(
    "audit.v1.AuditEntriesService/ListAuditEntries",
    { jti: "grpc-1", uidp: { descendantsOf: organization } },
    { token: owner.token },
  );
  expect(message["auditEntries"]).toMatchObject([{ actor: { jti: "grpc-1" } }]);
});

test("a column that was changed is found, and an entry from before has none", async () => {
  const { database } = world.service;
  await world.make(await mine("column-1"), "groups.update", {
    uid: folder,
    body: { description: "once more" },
  });
  const rows = await database.query<{ entry: string; jti: string | null }>(
    "select entry, jti from audit_entries where chain = $1 order by sequence",
    [organization],
  );
  expect(rows.at(-1)?.jti).toBe("column-1");
  for (const { entry, jti } of rows) expect(JSON.parse(entry).actor?.jti ?? null).toBe(jti);
  // What a process of the version before writes, while both run.
  await database.query(
    `select append_audit($1, $1, now(), 'OUTCOME_DONE', 'repos.create', '', null, null, '{}',
      '{"outcome":"OUTCOME_DONE","action":"repos.create"}')`,
    [organization],
  );
  expect((await verifyLog(database)).faults).toEqual([]);
  const change = (on: string) => database.query(`alter table audit_entries ${on} trigger audit_entries_kept`);
  await change("disable");
  await database.query("update audit_entries set jti = 'other' where jti = 'column-1'");
  await change("enable");
  expect((await verifyLog(database)).faults.map(({ problem }) => problem)).toEqual([
    "its columns were changed: jti",
  ]);
});
