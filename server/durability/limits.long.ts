import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Failure } from "../status";
import { openPostgres } from "../platform/store/postgres";
import { builtInRoleUid } from "../domains/access/roles.table";
import { ownPostgres, type OwnPostgres } from "../testing/postgres";
import { TestStore, type Wire } from "../testing/store";

/** Attempts at once, by two processes in turn. */
const AT_ONCE = 40;
const ORGANIZATIONS = 7;

let server: OwnPostgres;
/** Two processes on one database: each has its own connections. */
const stores: TestStore[] = [];

beforeAll(async () => {
  server = await ownPostgres();
  for (let process = 0; process < 2; process += 1) {
    const variables = { ORGANIZATION_LIMIT: String(ORGANIZATIONS), ALLOW_INSECURE: "1" };
    stores.push(await TestStore.open(variables, await openPostgres(server.url)));
  }
});
afterAll(async () => {
  for (const { database } of stores) await database.close();
  await server.stop();
});

/** Makes all attempts at once; returns the uids of those that succeeded. Others must be refused, not fail. */
async function atOnce(attempt: (store: TestStore, index: number) => Promise<Wire>): Promise<string[]> {
  const attempts = Array.from({ length: AT_ONCE }, (_, index) => attempt(stores[index % 2]!, index));
  const outcomes = await Promise.allSettled(attempts);
  return outcomes.flatMap((outcome) => {
    if (outcome.status === "fulfilled") return [outcome.value["uid"] as string];
    expect(outcome.reason).toBeInstanceOf(Failure);
    expect((outcome.reason as Failure).name).toMatch(
      /^(INVALID_ARGUMENT|FAILED_PRECONDITION|ALREADY_EXISTS|NOT_FOUND)$/,
    );
    return [];
  });
}

test("20 subscriptions of one group, however many are created at once", async () => {
  const { uid: parent, owner } = await stores[0]!.organization("subscribers");
  const made = await atOnce((store, index) =>
    store.call(owner, "subscriptions.create", {
      parent,
      body: { sink: `https://192.0.2.${index}.nip.example/` },
    }),
  );
  expect(made).toHaveLength(20);
});

test("10 identities of one issuer and subject in an organization, in whatever folder and however recognized", async () => {
  const { uid, owner } = await stores[0]!.organization("alike");
  const body = { name: "folder" };
  const { uid: folder } = await stores[0]!.call(owner, "groups.create", { parent: uid, body });
  const { publicKey } = await generateKeyPair("ES256");
  const issuerKeys = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  const pair = { issuer: "https://ci.example", subject: "alike" };
  const made = await atOnce((store, index) =>
    store.call(owner, "identities.create", {
      parent: index % 3 ? uid : folder,
      body: {
        name: `bot ${index}`,
        ...(index % 4 ? { claimMatch: pair } : { staticKeys: { ...pair, issuerKeys } }),
      },
    }),
  );
  expect(made).toHaveLength(10);
});

test("organizations of one person", async () => {
  const founder = await stores[0]!.person("founder");
  const made = await atOnce((store, index) =>
    store.call(founder, "groups.create", { parent: "", body: { name: `founded ${index}` } }),
  );
  expect(made).toHaveLength(ORGANIZATIONS);
});

test("one document of a name in force, whether in the organization or in a folder", async () => {
  const { uid, owner } = await stores[0]!.organization("documents");
  const body = { name: "folder" };
  const { uid: folder } = await stores[0]!.call(owner, "groups.create", { parent: uid, body });
  const made = await atOnce((store, index) =>
    store.call(owner, "terms.create", {
      parent: index % 2 ? uid : folder,
      body: { name: "dpa.v1", label: "DPA", url: "https://docs.example/dpa" },
    }),
  );
  expect(made).toHaveLength(1);
});

test("one binding by an invite for one person, whoever redeems it at the same time", async () => {
  const [first] = stores as [TestStore];
  const { uid: parent, owner } = await first.organization("invited");
  const roleUid = builtInRoleUid("viewer");
  const { code } = await first.call(owner, "groupInvites.create", {
    parent,
    body: { roleUid, singleUse: true, ttl: "3600s" },
  });
  const guests = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => first.person(`guest ${index}`)),
  );
  const redeemed = await atOnce((store, index) =>
    store.call(guests[index]!, "groupInvites.register", { body: { code } }),
  );
  expect(redeemed).toHaveLength(1);
});
