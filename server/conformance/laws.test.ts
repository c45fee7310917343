import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parentOf } from "platform-contract/aip";
import { resources } from "platform-contract";
import { pathOfKind } from "platform-contract/kind";
import { everyKind } from "platform-contract/kinds";
import { codeName } from "platform-contract/status";

import { tableOf } from "../platform/standard/children.table";
import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { LONG } from "../testing/long";
import { collectionAbove, fieldsOf, World, type Person, type Wire } from "./world";

let world: World;
let owner: Person;
let organization: string;
let repo: string;
const places: Record<string, string> = {};

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  const make = (collection: string, parent: string, body: Wire) =>
    world.create(owner, collection, parent, body);
  organization = await make("groups", "", { name: "organization" });
  const folder = await make("groups", organization, { name: "folder" });
  // Equal names, some in upper case: tests ties, and that the order ignores case.
  const parents = [organization, folder];
  for (const [index, name] of ["same", "Zeta", "same", "alpha", "beta"].entries()) {
    const parent = parents[index % 2]!;
    await make("groups", parent, { name });
    const bot = await make("identities", parent, {
      name: name.toLowerCase(),
      ...world.claims(`bot ${index}`),
    });
    await make("roles", parent, { name, capabilities: ["CAP_IAM_GROUPS_LIST"] });
    for (const role of ["viewer", "editor"]) {
      await world.bind(owner, parent, bot, role);
      const roleUid = builtInRoleUid(role);
      await make("groupInvites", parent, { roleUid, ttl: `${60 + index}s`, email: `${name}@example.com` });
    }
    // Names are unique in a group and in a repo: repeated ones go elsewhere.
    const home = index < 2 ? parent : await make("groups", parent, { name: `home ${index}` });
    await make("repos", home, { name: "other" });
    const oidc = { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true };
    const provider = { name, defaultRole: builtInRoleUid("viewer"), oidc };
    await make("identityProviders", parent, { ...provider, name: "same-too" });
    const inside = await make("identityProviders", parent, provider);
    for (const role of ["viewer", "editor"])
      await make("externalGroupRoleMappings", inside, {
        externalGroupId: name,
        roleUid: builtInRoleUid(role),
        scope: organization,
      });
    places["identityProviders"] = inside;
    for (const [at, place] of [parent, home].entries())
      await make("guardRails", place, {
        kind: "GUARD_RAIL_KIND_NAME_PATTERN",
        mode: "GUARD_RAIL_MODE_WARN",
        names: "GUARD_RAIL_NAMES_REPOS",
        patterns: ["*", `${at}`],
      });
    for (const role of ["viewer", "editor"])
      await make("eligibleGrants", parent, {
        identityUid: (await world.person(`eligible ${index}`)).uid,
        roleUid: builtInRoleUid(role),
        maxDuration: "3600s",
      });
    repo = await make("repos", home, { name: name.toLowerCase() });
    await make("tags", repo, { name, digest: `sha256:${String(index).repeat(64)}` });
    await make("subscriptions", home, { sink: `https://hooks.example/${name}` });
    await make("subscriptions", parent, { sink: `https://hooks.example/${index}` });
    for (const title of [name, "other"]) await make("advisories", parent, { name: title });
    await make("tags", repo, { name: "same-too", digest: `sha256:${"a".repeat(64)}` });
    await make("accountAssociations", home, { name });
  }
  await make("accountAssociations", await make("groups", folder, { name: "home" }), { name: "same" });
  // Last: terms affect what is created in their groups afterwards.
  const document = { label: "Terms", url: "https://example.com/terms" };
  for (const [index, name] of ["same", "Zeta", "same", "alpha", "beta", "same"].entries()) {
    const home = await make("groups", parents[index % 2]!, { name: `terms ${index}` });
    await make("terms", home, { ...document, name });
  }
  await make("terms", organization, { ...document, name: "theirs" });
  // Equal times as well, which callers cannot create on purpose.
  for (const table of everyKind.map(({ collection }) => tableOf(collection)))
    await world.service.database.query(
      `update ${table} set created_at = $1, updated_at = $1
       where uid in (select uid from ${table} order by right(uid, 16) limit 3)`,
      [new Date("2026-01-01T00:00:00.000Z")],
    );
});
afterAll(() => world.service.stop());

const invalid = (answer: Answer, fields: readonly string[]) => {
  expect([codeName(answer.json.code), ...fieldsOf(answer)]).toEqual(["INVALID_ARGUMENT", ...fields]);
};

/** The sort value of a row; every list has these fields, some have more. */
const SORTED_BY: Record<string, (row: Wire) => string> = {
  uid: (row) => row["uid"],
  // Without case.
  name: ({ name, artifactName, externalGroupId, identity, email, sink }) =>
    String(name ?? artifactName ?? externalGroupId ?? identity?.name ?? email ?? sink).toLowerCase(),
  advisory_id: (row) => row["advisoryId"],
  component_name: (row) => row["componentName"],
  created_at: (row) => row["createTime"],
  updated_at: (row) => row["updateTime"],
  expiration_time: (row) => row["expirationTime"],
  last_seen_time: (row) => row["lastSeenTime"] ?? "",
  // Unknown of all of these; domains/vulnerabilities/advisory-orders.test.ts has others.
  severity: () => "",
  latest_event_time: () => "",
};
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

describe.each(resources.map((resource) => [resource.collection, resource] as const))(
  "the list of %s",
  (name, one) => {
    const raw = (query: Wire) => world.send(owner.token, `${name}.list`, { query });
    const list = (query: Wire) => world.make(owner, `${name}.list`, { query });
    const rows = (page: Wire): Wire[] => page[name];
    const uids = (page: Wire): string[] => rows(page).map((row) => row["uid"]);

    describe.each(one.sortable)("by %s", (field) => {
      test.each(["asc", "desc"])("%s: pages of every size are the whole list, once", async (direction) => {
        const order = { order_by: `${field} ${direction}` };
        const whole = await list({ ...order, page_size: "200" });
        const key = SORTED_BY[field]!;
        const sign = direction === "asc" ? 1 : -1;
        const sorted = rows(whole).toSorted(
          (a, b) => sign * compare(key(a), key(b)) || (field === "uid" ? 0 : compare(a["uid"], b["uid"])),
        );
        expect(uids(whole)).toEqual(sorted.map((row) => row["uid"]));
        expect(whole["totalCount"]).toBe(String(uids(whole).length));
        expect(uids(whole).length).toBeGreaterThan(5);
        for (const size of LONG ? [1, 5] : [5]) {
          const found: string[] = [];
          let token = "";
          do {
            const page = await list({
              ...order,
              page_size: String(size),
              ...(token && { page_token: token }),
            });
            expect([page["totalCount"], page["skipped"]]).toEqual([whole["totalCount"], 0]);
            token = page["nextPageToken"] ?? "";
            expect(uids(page).length).toBe(token ? size : uids(whole).length - found.length);
            found.push(...uids(page));
          } while (token && found.length < 100);
          expect(found).toEqual(uids(whole));
        }
      });
    });

    test("filters: an exact name, a subtree, one level, and nothing found is an empty list", async () => {
      const all = rows(await list({}));
      const inside = all
        .map((row) => row["uid"] as string)
        .filter((uid) => uid.startsWith(`${organization}${one.keyedByParent ? "" : "/"}`));
      expect(uids(await list({ "uidp.descendants_of": organization }))).toEqual(inside);
      const above = { ...places, repos: repo }[collectionAbove(name)] ?? organization;
      const level = inside.filter((uid) => (one.keyedByParent ? uid : parentOf(uid)) === above);
      expect(uids(await list({ "uidp.children_of": above }))).toEqual(level);
      expect(uids(await list({ "uidp.ids": level[0] }))).toEqual([level[0]]);
      if ("name" in one.filters) {
        expect(rows(await list({ name: "same" }))).toEqual(all.filter((row) => row["name"] === "same"));
        expect(await list({ name: "sam" })).toEqual({ [name]: [], totalCount: "0", skipped: 0 });
      }
    });

    // The rest is the same code for every list.
    if (!LONG && name !== "identities") return;

    test("skip counts from the first row, with a token from where it stands", async () => {
      const whole = uids(await list({}));
      const first = await list({ page_size: "2", skip: "1" });
      expect([uids(first), first["skipped"]]).toEqual([whole.slice(1, 3), 1]);
      const next = await list({ page_size: "1", skip: "2", page_token: first["nextPageToken"] });
      expect([uids(next), next["skipped"]]).toEqual([whole.slice(5, 6), 2]);
      const beyond = await list({ skip: "1000" });
      expect(beyond).toEqual({ [name]: [], totalCount: String(whole.length), skipped: 1000 });
    });

    test("a token starts again with another order or filter, and goes on with another size", async () => {
      const { nextPageToken: page_token } = await list({ page_size: "2", order_by: "name" });
      for (const query of [
        { order_by: "name desc" },
        { order_by: "name", "uidp.descendants_of": organization },
      ])
        expect(uids(await list({ ...query, page_size: "3", page_token }))).toEqual(
          uids(await list({ ...query, page_size: "3" })),
        );
      const rest = uids(await list({ order_by: "name asc", page_size: "200", page_token }));
      expect(rest).toEqual(uids(await list({ order_by: "name" })).slice(2));
    });

    test("a token of somebody else, of another list, changed or made up is refused", async () => {
      const { nextPageToken } = await list({ page_size: "1" });
      const foreign = await world.send((await world.person("stranger")).token, `${name}.list`, {
        query: { page_token: nextPageToken },
      });
      invalid(foreign, ["page_token"]);
      const beside = name === "groups" ? "roles" : "groups";
      invalid(await world.send(owner.token, `${beside}.list`, { query: { page_token: nextPageToken } }), [
        "page_token",
      ]);
      const middle = Math.floor(nextPageToken.length / 2);
      const changed = nextPageToken[middle] === "A" ? "B" : "A";
      const tampered = nextPageToken.slice(0, middle) + changed + nextPageToken.slice(middle + 1);
      for (const page_token of [tampered, nextPageToken.slice(0, -3), "1", "a.b.c", "\u{1F600}"])
        invalid(await raw({ page_token }), ["page_token"]);
    });

    test("page_size: above the maximum is the maximum, what is no such number is refused", async () => {
      const whole = uids(await list({}));
      for (const page_size of ["201", "2147483647", "0"])
        expect(uids(await list({ page_size }))).toEqual(whole);
      for (const value of ["-1", "1.5", "many", "1e2", "2147483648"]) {
        invalid(await raw({ page_size: value }), ["page_size"]);
        invalid(await raw({ skip: value }), ["skip"]);
        invalid(await raw({ page_size: value, skip: value }), ["page_size", "skip"]);
      }
    });

    test("order_by accepts snake_case, camelCase and a direction (AIP-132), and nothing else", async () => {
      const by = async (order_by: string) => uids(await list({ order_by }));
      for (const [order, ...same] of [
        ["uid", "", "uid asc", "  uid "],
        ["name", "name asc"],
        ["name desc", "name  desc"],
        ["created_at desc", "createTime desc", "create_time desc", "createdAt desc"],
      ] as const)
        for (const other of same)
          expect([other, ...(await by(other))]).toEqual([other, ...(await by(order))]);
      const { json } = await world.service.call(
        "GET",
        `${pathOfKind(one)}?orderBy=name+desc&pageSize=2`,
        owner,
      );
      expect(uids(json)).toEqual((await by("name desc")).slice(0, 2));
      const wrong = [
        "nothing",
        "name down",
        "name,uid",
        "-name",
        "name desc desc",
        "name; drop table groups",
        "parent",
      ];
      for (const order_by of wrong) invalid(await raw({ order_by }), ["order_by"]);
      const twice = `${pathOfKind(one)}?order_by=name&orderBy=uid&page_size=1&page_size=2`;
      expect(fieldsOf(await world.service.call("GET", twice, owner)).toSorted()).toEqual([
        "order_by",
        "page_size",
      ]);
    });
  },
);
