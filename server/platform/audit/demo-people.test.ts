import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ancestorsOf, parentOf } from "platform-contract/aip";
import { resources } from "platform-contract";
import { AUDIT_ACCESS } from "platform-contract/audit/entries";

import { tableOf } from "../standard/children.table";
import { World, type Person, type Wire } from "../../conformance/world";
import { DEMO_OWNER, DEMO_PASSWORD, demoPeople } from "../../demo";
import { signIn } from "../oidc/testing";
import { personUid } from "../store/uids";

let world: World;
let owner: Person;
let all: readonly Wire[];
let groups: readonly string[];

async function person(email: string): Promise<Person> {
  const { accessToken } = await signIn(world.service.url, { email, password: DEMO_PASSWORD });
  const { sub = "" } = decodeJwt(accessToken);
  return { uid: personUid(world.service.config.issuer, sub), token: accessToken };
}

/** Every page of a list. */
async function whole(by: Person, id: string, field: string, query: Readonly<Record<string, string>> = {}) {
  const found: Wire[] = [];
  for (let token = ""; ;) {
    const more = token === "" ? {} : { page_token: token };
    const page = await world.make(by, id, { query: { page_size: "200", ...query, ...more } });
    found.push(...(page[field] as Wire[]));
    token = page["nextPageToken"] ?? "";
    if (token === "") return found;
  }
}

const uidsOf = (entries: readonly Wire[]): string[] => entries.map(({ uid }) => uid).toSorted();

beforeAll(async () => {
  world = await World.open({ SEED: "demo" });
  owner = await person(DEMO_OWNER.email);
  groups = uidsOf(await whole(owner, "groups.list", "groups"));
  // Something to see everywhere.
  for (const uid of groups)
    await world.make(owner, "groups.update", { uid, body: { description: "seen in the log" } });
  all = await whole(owner, "auditEntries.list", "auditEntries");
});
afterAll(() => world.service.stop());

/** The groups whose log a person may see: the owner reads the person's role bindings, and what their roles allow. */
async function visibleTo({ uid }: Person): Promise<ReadonlySet<string>> {
  const bindings = await whole(owner, "roleBindings.list", "roleBindings", { identity: uid });
  const roles = await whole(owner, "roles.list", "roles");
  const seeing = new Set(
    roles.filter(({ capabilities }) => capabilities.includes(AUDIT_ACCESS)).map((role) => role["uid"]),
  );
  const at = new Set(bindings.filter(({ role }) => seeing.has(role.uid)).map((one) => parentOf(one["uid"])));
  return new Set(groups.filter((group) => [group, ...ancestorsOf(group)].some((each) => at.has(each))));
}

test.each(demoPeople(DEMO_OWNER.email).map(({ email }) => [email]))(
  "%s sees the entries of the groups whose role bindings they can see, and no others",
  async (email) => {
    const who = email === DEMO_OWNER.email ? owner : await person(email);
    const visible = await visibleTo(who);
    // Signing in has added entries.
    const log = await whole(owner, "auditEntries.list", "auditEntries");
    const expected = log.filter(({ uid }) => visible.has(parentOf(uid)));
    expect(uidsOf(await whole(who, "auditEntries.list", "auditEntries"))).toEqual(uidsOf(expected));
    const [seen, hidden] = [expected[0], log.find(({ uid }) => !visible.has(parentOf(uid)))];
    if (seen) expect(await world.make(who, "auditEntries.get", { uid: seen["uid"] })).toEqual(seen);
    if (hidden)
      expect((await world.send(who.token, "auditEntries.get", { uid: hidden["uid"] })).status).toBe(403);
  },
);

test("the log begins with the organization, which a command imported", () => {
  expect(all.find(({ sequence }) => sequence === "1")).toMatchObject({
    action: "import",
    change: "created",
    record: { kind: "groups", uid: groups[0], name: "Meridian Freight" },
    request: { transport: "command" },
  });
});

test("every record of the demo has an entry that says it was imported, or made by the service", async () => {
  const imported = new Set(
    all.filter(({ action }) => action === "import" || action === "service.created").map(({ uid }) => uid),
  );
  expect(imported.size).toBeGreaterThan(400);
  for (const { collection } of resources) {
    // oxlint-disable-next-line no-await-in-loop -- a few kinds
    const rows = await world.service.database.query<{ record: string; entries: string[] }>(
      `select t.uid as record, array(select s.uid from audit_subjects s where s.record_uid = t.uid) as entries
       from ${tableOf(collection)} t where t.uid like $1 || '%'
         or t.parent is null and exists (select 1 from role_bindings b where to_jsonb(b) ->> 'identity_uid' = t.uid)`,
      [groups[0]],
    );
    const none = ["eligibleGrants", "guardRails", "subscriptions"].includes(collection);
    expect([collection, rows.length > 0]).toEqual([collection, !none]);
    const silent = rows.filter(({ entries }) => !entries.some((uid) => imported.has(uid)));
    expect([collection, silent]).toEqual([collection, []]);
  }
});

test("the five differ in what they see", async () => {
  const counts = await Promise.all(
    demoPeople(DEMO_OWNER.email).map(async ({ email }) => {
      const who = email === DEMO_OWNER.email ? owner : await person(email);
      return (await visibleTo(who)).size;
    }),
  );
  const [everything, editor, viewer, folders = 0, auditor] = counts;
  expect([everything, editor, viewer, auditor]).toEqual([groups.length, groups.length, groups.length, 0]);
  expect(folders).toBeGreaterThan(1);
  expect(folders).toBeLessThan(groups.length);
  expect(all.length).toBeGreaterThanOrEqual(groups.length);
});
