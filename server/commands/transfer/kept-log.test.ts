import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { withLog } from "../../platform/audit/log";
import { verifyLog } from "../../platform/audit/verify";
import { recordAct } from "../../platform/oidc/sign-in-log";
import { sweepAudit } from "../../platform/store/audit";
import type { Database } from "../../platform/store/database";
import { migrate } from "../../platform/store/migrate";
import { personUid } from "../../platform/store/uids";
import { openEmpty, openMigrated } from "../../testing/database";
import { TestStore, type Wire } from "../../testing/store";
import { exportTo, importFrom } from "../../testing/transfer";
import { readdress } from "./readdress";

/** A log of people and their roles goes through everything that an operator does to a database. */

const DAY = 86_400_000;
const PEOPLE = ["ada", "eve"];
const ARRIVAL = { requestId: "r", address: "192.0.2.7", transport: "http" } as const;
const WHY = "Zoë's shift is over, ticket 4711 🚀";

let directory: string;
let first: string;
let organization: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "kept-log-"));
  first = path.join(directory, "first");
  const database = await openMigrated();
  const store = await TestStore.open({}, withLog(database));
  ({ uid: organization } = await store.organization("acme", "ada"));
  const ada = await store.person("ada");
  const eve = await store.member("eve", "viewer", [organization], ada);
  const [hers] = await database.query<{ uid: string }>(
    "select uid from role_bindings where identity_uid = $1",
    [eve.identities[0]],
  );
  const arrival = { ...ARRIVAL, justification: WHY };
  await store.call(ada, "roleBindings.delete", { uid: hers?.uid ?? "", arrival });
  await store.member("eve", "editor", [organization], ada);
  for (const subject of PEOPLE)
    await recordAct(store, ARRIVAL, { act: "signIn.password", subject }, async () => {});
  await exportTo(database, first);
  await database.close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** An installation: its database, and the address at which it is. */
interface Installation {
  database: Database;
  address: string;
}
let copies = 0;

async function imported(file: string): Promise<Database> {
  const database = await openEmpty();
  await importFrom(database, file);
  await migrate(database);
  return database;
}

const STEPS: Readonly<Record<string, (place: Installation) => Promise<void>>> = {
  async move(place) {
    const to = place.address === "https://platform.test" ? "https://new.test" : "https://platform.test";
    await readdress(place.database, `${place.address}/oidc`, `${to}/oidc`);
    place.address = to;
  },
  /** Removes the older half. */
  async retention({ database }) {
    const [middle] = await database.query<{ at: Date }>(
      "select created_at as at from audit_entries where chain = $1 order by sequence offset 3 limit 1",
      [organization],
    );
    // On a busy machine, a moment later would be after all of them.
    vi.useFakeTimers({ toFake: ["Date"] });
    const days = (Date.now() - (middle?.at.getTime() ?? Date.now())) / DAY;
    await sweepAudit(database, days, (_, work) => work());
    vi.useRealTimers();
  },
  async "export and import"(place) {
    const file = path.join(directory, `copy-${(copies += 1)}`);
    await exportTo(place.database, file);
    await place.database.close();
    place.database = await imported(file);
  },
};

const names = Object.keys(STEPS);
/** Each order of the three, and what only shows after two moves. */
const orders = names
  .flatMap((a) => names.flatMap((b) => names.map((c): [string, string, string] => [a, b, c])))
  .filter((steps) => new Set(steps).size === 3 || steps.join() === "move,move,retention");

/** The log is whole, and whatever anybody asks about is answered, with all that is there. */
async function expectWholeLog({ database, address }: Installation): Promise<void> {
  expect((await verifyLog(database)).faults).toEqual([]);
  const store = await TestStore.open({ PUBLIC_URL: address }, withLog(database));
  const ada = await store.person("ada");
  const list = (query: Record<string, unknown>) => store.call(ada, "auditEntries.list", { query });
  const { auditEntries: all } = await list({ page_size: 200 });
  const issuers = ["https://platform.test/oidc", "https://new.test/oidc"];
  const subjects = await database.query<{ uid: string }>(
    "select distinct record_uid as uid from audit_subjects",
  );
  for (const uid of [...subjects.map((row) => row.uid), ...issuers.map((one) => personUid(one, "nobody"))])
    expect(await list({ record: uid })).toMatchObject({ totalCount: expect.any(String) });
  // Of a person, also under the uid of today.
  for (const subject of PEOPLE) {
    const uids = issuers.map((issuer) => personUid(issuer, subject));
    expect(all.length).toBeGreaterThan(1);
    const about = all.filter((entry: Wire) =>
      uids.some((uid) => JSON.stringify(subjectsOf(entry)).includes(uid)),
    );
    const found = await list({ record: personUid(`${address}/oidc`, subject), page_size: 200 });
    expect(found["auditEntries"].map(({ uid }: { uid: string }) => uid)).toEqual(
      about.map(({ uid }: { uid: string }) => uid),
    );
  }
}

/** What an entry is about, as it says itself. */
const subjectsOf = ({ record, related, changes }: Wire): unknown => [record, related, changes];

test.each(orders)("after %s, %s, %s, the log verifies and answers", async (...steps) => {
  const place = { database: await imported(first), address: "https://platform.test" };
  for (const step of steps) {
    await STEPS[step]?.(place);
    await expectWholeLog(place);
  }
  // And goes on.
  const store = await TestStore.open({ PUBLIC_URL: place.address }, withLog(place.database));
  const ada = await store.person("ada");
  await store.call(ada, "repos.create", { parent: organization, body: { name: "after" } });
  await expectWholeLog(place);
  await place.database.close();
});

test("a log that an earlier version moved is repaired by the migration", async () => {
  const place = { database: await imported(first), address: "https://platform.test" };
  const { database } = place;
  await STEPS["move"]?.(place);
  // As it was: found by the new uids alone, which retention then does not find.
  await database.query("delete from audit_subjects s using moved_people p where s.record_uid = p.old");
  await database.query("insert into audit_subjects select new, now(), 'gone' from moved_people");
  await database.query("drop table moved_people");
  await database.query("delete from schema_migrations where id = '041-moved-people'");
  await migrate(database);
  await expectWholeLog(place);
  await STEPS["retention"]?.(place);
  await expectWholeLog(place);
  await database.close();
});

test("who had a role before a move is the person of today", async () => {
  const place = { database: await imported(first), address: "https://platform.test" };
  const [gone] = await place.database.query<{ at: Date }>(
    "select created_at as at from audit_entries where action = 'roleBindings.delete'",
  );
  await STEPS["move"]?.(place);
  const store = await TestStore.open({ PUBLIC_URL: place.address }, place.database);
  const eve = personUid(`${place.address}/oidc`, "eve");
  const query = { identity: eve, time: new Date((gone?.at.getTime() ?? 0) - 1).toISOString() };
  const { held } = await store.call(await store.person("ada"), "auditAccess.get", { query });
  expect(held).toMatchObject([{ identity: eve, roleName: "viewer" }]);
  await place.database.close();
});

test("the reason of a change goes along", async () => {
  const place = { database: await imported(first), address: "https://platform.test" };
  for (const step of ["move", "export and import"]) await STEPS[step]?.(place);
  const store = await TestStore.open({ PUBLIC_URL: place.address }, place.database);
  const query = { action: "roleBindings.delete" };
  const { auditEntries } = await store.call(await store.person("ada"), "auditEntries.list", { query });
  expect(auditEntries).toMatchObject([{ justification: WHY, request: { address: ARRIVAL.address } }]);
  expect((await verifyLog(place.database)).faults).toEqual([]);
  await place.database.close();
});
