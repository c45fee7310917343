import { createLocalJWKSet, compactVerify, decodeJwt, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sweepAudit } from "../store/audit";
import { grownHeads } from "../store/audit-heads";
import type { Queries } from "../store/database";
import { signaturesIn, verifyAgainst } from "./against";
import { openLogged } from "./testing";
import { verifyLog } from "./verify";

let { ground, world, owner, organization, folder } = {} as Awaited<ReturnType<typeof openLogged>>;
beforeAll(async () => {
  ({ ground, world, owner, organization, folder } = await openLogged());
});
afterAll(() => world.service.stop());

const heads = async (by = owner) => {
  const { heads: found = [] } = await world.make(by, "auditHeads.get");
  return found as { organization: string; sequence: string; hash: string; signature: string }[];
};
const jwks = async () =>
  (await world.service.call("GET", "/audit/v1/jwks.json")).json as unknown as JSONWebKeySet;

const ROLLED_BACK = new Error("rolled back");

/** What verification finds, alone and against heads, after a change that is then undone. */
async function after(signatures: readonly string[], change: (queries: Queries) => Promise<unknown>) {
  let found: unknown;
  await world.service.database
    .transaction(async (queries) => {
      await queries.query("alter table audit_entries disable trigger all");
      await change(queries);
      found = {
        alone: (await verifyLog(queries)).faults.map(({ problem }) => problem),
        against: (await verifyAgainst(queries, signatures)).map(({ problem }) => problem),
      };
      throw ROLLED_BACK;
    })
    .catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
  return found;
}

test("whoever may read a log gets its signed head, which anybody can verify and which has no names", async () => {
  const [head, ...none] = await heads();
  expect(none).toEqual([]);
  expect(head).toMatchObject({ organization, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { payload } = await compactVerify(head?.signature ?? "", createLocalJWKSet(await jwks()));
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
    iss: world.service.url,
    iat: expect.any(Number),
    organization,
    sequence: head?.sequence,
    hash: head?.hash,
  });
  expect((await jwks()).keys.every((key) => !("d" in key))).toBe(true);
  // A stranger reads no log, so gets no head.
  expect(await heads(await world.person("stranger"))).toEqual([]);
  // It is no token.
  expect((await world.send(head?.signature, "groups.list")).status).toBe(401);
});

test("heads come in pages, which together have each organization once", async () => {
  const others = await Promise.all(
    ["second", "third"].map((name) => world.create(owner, "groups", "", { name })),
  );
  const found: string[] = [];
  let token: string | undefined;
  do {
    const query = { page_size: "1", ...(token !== undefined && { page_token: token }) };
    const page = await world.make(owner, "auditHeads.get", { query });
    expect(page["totalCount"]).toBe("3");
    expect(page["heads"]).toHaveLength(1);
    found.push(page["heads"][0].organization);
    token = page["nextPageToken"];
  } while (token !== undefined);
  expect(found).toEqual([organization, ...others].toSorted());
  // A token of another caller is refused, like that of any list.
  const { nextPageToken } = await world.make(owner, "auditHeads.get", { query: { page_size: "1" } });
  const stranger = await world.person("another stranger");
  const query = { page_token: nextPageToken };
  expect((await world.send(stranger.token, "auditHeads.get", { query })).status).toBe(400);
  for (const uid of others) await world.make(owner, "groups.delete", { uid });
});

test("an end that was cut, with the head set back, is found by a head that was kept", async () => {
  for (let turn = 0; turn < 3; turn += 1) await ground.create("repos", folder, { name: `cut-${turn}` });
  const [head] = await heads();
  const kept = [head?.signature ?? ""];
  expect(await verifyAgainst(world.service.database, kept)).toEqual([]);
  const cut = async (queries: Queries) => {
    const last = Number(head?.sequence);
    await queries.query("delete from audit_entries where chain = $1 and sequence > $2", [
      organization,
      last - 3,
    ]);
    await queries.query(
      `update audit_heads h set sequence = e.sequence, hash = e.hash from audit_entries e
       where h.chain = $1 and e.chain = $1 and e.sequence = $2`,
      [organization, last - 3],
    );
  };
  expect(await after(kept, cut)).toEqual({
    alone: [],
    against: [`the last 3 entries are missing: the log went on to ${head?.sequence}`],
  });
  // Filled up again with others.
  const refilled = async (queries: Queries) => {
    await cut(queries);
    for (let turn = 0; turn < 4; turn += 1)
      await queries.query(
        `select append_audit($1, $1, now(), 'OUTCOME_DONE', 'repos.create', '', null, null, '{}',
          '{"outcome":"OUTCOME_DONE","action":"repos.create"}')`,
        [organization],
      );
  };
  expect(await after(kept, refilled)).toEqual({
    alone: [],
    against: ["it is another one than the head that was kept"],
  });
});

test("retention is no fault, a head of another installation is", async () => {
  const { database } = world.service;
  const [head] = await heads();
  const signature = head?.signature ?? "";
  await sweepAudit(database, 0, (_, work) => work());
  expect(await verifyAgainst(database, [signature])).toEqual([]);
  await ground.create("repos", folder, { name: "later" });
  await sweepAudit(database, 0, (_, work) => work());
  expect(await verifyAgainst(database, [signature])).toEqual([]);
  const [header, body, end = ""] = signature.split(".");
  const forged = `${header}.${body}.${end.startsWith("A") ? "B" : "A"}${end.slice(1)}`;
  expect(await verifyAgainst(database, [forged])).toMatchObject([
    { problem: "a head cannot be used: this installation did not sign it" },
  ]);
  expect(decodeJwt(signature)).not.toHaveProperty("sub");
});

test("heads are found in lines of forwards and in files of signatures", () => {
  const signature = `${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`;
  expect(signaturesIn(`${signature}\n`)).toEqual([signature]);
  expect(signaturesIn(`{"uid":"x"}\n${JSON.stringify({ auditHead: { signature } })}\n`)).toEqual([signature]);
});

test("only logs that grew are told again", async () => {
  const { database } = world.service;
  const since = new Date();
  expect(await grownHeads(database, { since, after: undefined })).toEqual([]);
  await ground.create("repos", folder, { name: "grown" });
  expect(await grownHeads(database, { since, after: undefined })).toMatchObject([{ chain: organization }]);
  expect(await grownHeads(database, { since, after: organization })).toEqual([]);
});
