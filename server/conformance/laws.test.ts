import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { snakeCase } from "~/contract/aip";
import { groups } from "~/contract/iam/groups";
import { identities } from "~/contract/iam/identities";
import { roleBindings } from "~/contract/iam/role-bindings";
import { roles } from "~/contract/iam/roles";
import { resources } from "~/contract/index";
import { codeName, preconditionViolations } from "~/contract/status";

import { builtInRoleUid } from "../store/roles";
import type { Answer } from "../testing/app";
import { fieldsOf, World, type Person, type Wire } from "./world";

interface Sample {
  /** Every field that these laws change, as it is made. */
  readonly made: Wire;
  /** The same fields with other values. */
  readonly other: Wire;
  /** Fields that a full replacement may leave out. */
  readonly optional: readonly string[];
}

const OLD = "2000-01-01T00:00:00.000Z";
const OUTPUT = { uid: "0".repeat(40), createTime: OLD, updateTime: OLD };

let world: World;
let owner: Person;
let organization: string;
let folder: string;
/** A new resource needs one more entry here. */
const samples = new Map<string, Sample>();

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  const make = async (collection: string, parent: string, body: Wire): Promise<string> =>
    (await world.make(owner, `${collection}.create`, { parent, body }))["uid"];
  organization = await make("groups", "", { name: "organization" });
  folder = await make("groups", organization, { name: "folder" });
  // Equal names, some of them upper case: ties, and an order by bytes.
  const parents = [organization, folder];
  for (const [index, name] of ["same", "Zeta", "same", "alpha"].entries()) {
    const parent = parents[index % 2]!;
    await make("groups", parent, { name });
    const bot = await make("identities", parent, { name: name.toLowerCase(), ...world.claims(`bot ${index}`) });
    await make("roles", parent, { name, capabilities: ["CAP_IAM_GROUPS_LIST"] });
    await world.bind(owner, parent, bot, "viewer");
  }
  // Equal times as well, which no caller can make on purpose.
  for (const table of ["groups", "identities", "roles", "role_bindings"])
    await world.service.database.query(
      `update ${table} set created_at = $1, updated_at = $1
       where uid in (select uid from ${table} order by right(uid, 16) limit 3)`,
      [new Date("2026-01-01T00:00:00.000Z")],
    );
  const text = { name: "before", description: "old" };
  const more = { name: "after", description: "new" };
  const claims = (subject: string) => world.claims(subject);
  const bots: string[] = [];
  for (const name of ["one", "two"]) bots.push(await make("identities", folder, { name, ...claims(name) }));
  const optional = ["description"];
  samples
    .set("groups", { made: text, other: more, optional })
    .set("identities", { made: { ...text, ...claims("a") }, other: { ...more, ...claims("b") }, optional })
    .set("roles", {
      made: { ...text, capabilities: ["CAP_IAM_GROUPS_LIST"] },
      other: { ...more, capabilities: ["CAP_IAM_ROLES_LIST", "CAP_IAM_IDENTITY_LIST"] },
      optional,
    })
    .set("roleBindings", {
      made: { identityUid: bots[0], roleUid: builtInRoleUid("viewer") },
      other: { identityUid: bots[1], roleUid: builtInRoleUid("editor") },
      optional: [],
    });
});
afterAll(() => world.service.stop());

const invalid = (answer: Answer, fields: readonly string[]) => {
  expect(codeName(answer.json.code), answer.json.message).toBe("INVALID_ARGUMENT");
  expect(fieldsOf(answer)).toEqual(fields);
};

test("every resource is put to these laws", () => {
  expect([...samples.keys()]).toEqual(resources.map(({ collection }) => collection));
});

/** The value that a row is ordered by. */
const SORTED_BY: Record<string, (row: Wire) => string> = {
  uid: (row) => row["uid"],
  name: (row) => row["name"] ?? row["identity"].name,
  created_at: (row) => row["createTime"],
  updated_at: (row) => row["updateTime"],
  last_seen_time: (row) => row["lastSeenTime"] ?? "",
};
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

describe.each(resources.map((resource) => [resource.collection, resource] as const))("the list of %s", (name, one) => {
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
      for (const size of [1, 5]) {
        const found: string[] = [];
        let token = "";
        do {
          const page = await list({ ...order, page_size: String(size), ...(token && { page_token: token }) });
          expect([page["totalCount"], page["skipped"]]).toEqual([whole["totalCount"], 0]);
          token = page["nextPageToken"] ?? "";
          expect(uids(page).length).toBe(token ? size : uids(whole).length - found.length);
          found.push(...uids(page));
        } while (token && found.length < 100);
        expect(found).toEqual(uids(whole));
      }
    });
  });

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
    for (const query of [{ order_by: "name desc" }, { order_by: "name", "uidp.descendants_of": organization }])
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
    invalid(await world.send(owner.token, `${beside}.list`, { query: { page_token: nextPageToken } }), ["page_token"]);
    const middle = Math.floor(nextPageToken.length / 2);
    const changed = nextPageToken[middle] === "A" ? "B" : "A";
    const tampered = nextPageToken.slice(0, middle) + changed + nextPageToken.slice(middle + 1);
    for (const page_token of [tampered, nextPageToken.slice(0, -3), "1", "a.b.c", "\u{1F600}"])
      invalid(await raw({ page_token }), ["page_token"]);
  });

  test("page_size: above the maximum is the maximum, what is no such number is refused", async () => {
    const whole = uids(await list({}));
    for (const page_size of ["201", "2147483647", "0"]) expect(uids(await list({ page_size }))).toEqual(whole);
    for (const value of ["-1", "1.5", "many", "1e2", "2147483648"]) {
      invalid(await raw({ page_size: value }), ["page_size"]);
      invalid(await raw({ skip: value }), ["skip"]);
      invalid(await raw({ page_size: value, skip: value }), ["page_size", "skip"]);
    }
  });

  test("order_by: the forms of the specification, other spellings of them, and nothing else", async () => {
    const by = async (order_by: string) => uids(await list({ order_by }));
    for (const [order, ...same] of [
      ["uid", "", "uid asc", "  uid "],
      ["name", "name asc"],
      ["name desc", "name  desc"],
      ["created_at desc", "createTime desc", "create_time desc", "createdAt desc"],
    ] as const)
      for (const other of same) expect(await by(other), other).toEqual(await by(order));
    const { json } = await world.service.call("GET", `/iam/v2/${name}?orderBy=name+desc&pageSize=2`, owner);
    expect(uids(json)).toEqual((await by("name desc")).slice(0, 2));
    const wrong = ["nothing", "name down", "name,uid", "-name", "name desc desc", "name; drop table groups", "parent"];
    for (const order_by of wrong) invalid(await raw({ order_by }), ["order_by"]);
    const twice = `/iam/v2/${name}?order_by=name&orderBy=uid&page_size=1&page_size=2`;
    expect(fieldsOf(await world.service.call("GET", twice, owner)).toSorted()).toEqual(["order_by", "page_size"]);
  });

  test("filters: an exact name, a subtree, one level, and nothing found is an empty list", async () => {
    const all = rows(await list({}));
    const inside = all.map((row) => row["uid"] as string).filter((uid) => uid.startsWith(`${organization}/`));
    expect(uids(await list({ "uidp.descendants_of": organization }))).toEqual(inside);
    const level = inside.filter((uid) => uid.split("/").length === 2);
    expect(uids(await list({ "uidp.children_of": organization }))).toEqual(level);
    expect(uids(await list({ "uidp.ids": level[0] }))).toEqual([level[0]]);
    if (name !== "roleBindings") {
      expect(rows(await list({ name: "same" }))).toEqual(all.filter((row) => row["name"] === "same"));
      expect(await list({ name: "sam" })).toEqual({ [name]: [], totalCount: "0", skipped: 0 });
    }
  });
});

const snaked = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), snaked(item)]))
    : value;

describe.each([groups, identities, roles, roleBindings].map(({ collection }) => collection))("a record of %s", (name) => {
  const sample = () => samples.get(name)!;
  const create = (body: Wire) => world.make(owner, `${name}.create`, { parent: folder, body });
  const get = (uid: string) => world.make(owner, `${name}.get`, { uid });
  const patch = (uid: string, body: unknown, query = {}) =>
    world.send(owner.token, `${name}.update`, { uid, body, query });
  const remove = (uid: string) => world.send(owner.token, `${name}.delete`, { uid });
  const settable = (record: Wire) => Object.fromEntries(Object.keys(sample().made).map((key) => [key, record[key]]));

  test("is created without what only the service sets, read, and deleted once", async () => {
    const made = await create({ ...sample().made, ...OUTPUT, create_time: OLD, unknown: 1 } as Wire).catch(() => undefined);
    // The same field under two spellings is refused, wherever it comes from.
    expect(made).toBeUndefined();
    const record = await create({ ...sample().made, ...OUTPUT, unknown: 1 });
    expect(record["uid"]).toMatch(new RegExp(`^${folder}/[0-9a-f]{16}$`));
    expect(record["createTime"]).toBe(record["updateTime"]);
    expect(record["createTime"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(record["createTime"] > OLD).toBe(true);
    expect(record).not.toHaveProperty("unknown");
    expect(settable(record)).toEqual(sample().made);
    expect(await get(record["uid"])).toEqual(record);
    const gone = await remove(record["uid"]);
    expect([gone.status, gone.bytes.length]).toEqual([200, 0]);
    const again = await remove(record["uid"]);
    expect([again.status, codeName(again.json.code)]).toEqual([404, "NOT_FOUND"]);
  });

  test("changes in the masked fields alone, whatever the body and the spelling", async () => {
    const { made, other, optional } = sample();
    const { uid } = await create(made);
    const change = async (body: unknown, query: Wire, expected: Wire) => {
      const answer = await patch(uid, body, query);
      expect(answer.status, answer.bytes.toString()).toBe(200);
      expect(settable(answer.json)).toEqual(expected);
      expect(await get(uid)).toEqual(answer.json);
      expect(answer.json["updateTime"] > answer.json["createTime"]).toBe(true);
    };
    const reset = () => change(made, { updateMask: "*" }, made);
    for (const field of Object.keys(made)) {
      const expected = { ...made, [field]: other[field] };
      // Absent: what the body has. Given: what it names, the rest of the body is not even judged.
      await change({ [field]: other[field] }, {}, expected);
      await reset();
      const noise = { ...Object.fromEntries(Object.keys(made).map((key) => [key, 7])), [field]: other[field] };
      await change({ ...noise, ...OUTPUT, unknown: 1 }, { updateMask: field }, expected);
      await reset();
      await change(snaked({ [field]: other[field] }), { update_mask: `${snakeCase(field)}, uid,create_time` }, expected);
      await reset();
    }
    await change({ ...OUTPUT, ...other }, { updateMask: "" }, other);
    await change(snaked({ ...OUTPUT, ...made }), {}, made);
    const least = Object.fromEntries(Object.entries(made).filter(([key]) => !optional.includes(key)));
    await change(least, { updateMask: "*" }, least);
    await change(made, {}, made);
    for (const field of optional) {
      await change({ ...other, [field]: undefined }, { updateMask: field }, { ...made, [field]: undefined });
      await change({ [field]: made[field] }, {}, made);
      await change({ [field]: "" }, {}, { ...made, [field]: undefined });
      await change(made, {}, made);
    }
  });

  test("does not change by a mask or body that names what is not there, or lacks what is needed", async () => {
    const { made, other, optional } = sample();
    const { uid } = await create({ ...made, ...("name" in made && { name: "refusing" }) });
    await world.unchanged(async () => {
      for (const updateMask of ["nothing", "name,*", "*,name", "uid.x", ",", `${Object.keys(made)[0]}.x`])
        expect(fieldsOf(await patch(uid, other, { updateMask })), updateMask).toContain("updateMask");
      invalid(await patch(uid, { ...other, nothing: 1 }), ["nothing"]);
      for (const field of Object.keys(made).filter((key) => !optional.includes(key))) {
        const { [field]: _left, ...rest } = other;
        invalid(await patch(uid, rest, { updateMask: "*" }), [field]);
        invalid(await patch(uid, {}, { updateMask: field }), [field]);
      }
      for (const body of ["[]", "null", "1", "{"]) {
        const headers = { "content-type": "application/json" };
        const answer = await world.service.call("PATCH", `/iam/v2/${name}/${uid}`, { ...owner, headers, body });
        expect(codeName(answer.json.code)).toBe("INVALID_ARGUMENT");
      }
    });
  });
});

test("setting one way to be recognised clears the other", async () => {
  const { uid } = await world.make(owner, "identities.create", {
    parent: folder,
    body: { name: "switch", ...world.claims("switch") },
  });
  const awsIdentity = { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/a", userId: "AROA" };
  const { issuer } = world.service.issuer;
  const patch = async (body: Wire, query = {}) => {
    const record = await world.make(owner, "identities.update", { uid, body, query });
    return Object.fromEntries(["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"].map((key) => [key, record[key]]));
  };
  const only = (key: string, value: unknown) => ({
    claimMatch: undefined,
    staticKeys: undefined,
    awsIdentity: undefined,
    servicePrincipal: undefined,
    [key]: value,
  });
  void issuer;
  expect(await patch({ awsIdentity })).toEqual(only("awsIdentity", awsIdentity));
  const { arn: _arn, ...rest } = awsIdentity;
  const byPattern = { ...rest, arnPattern: "arn:aws:iam::123456789012:role/.*" };
  expect(await patch({ awsIdentity: { arnPattern: byPattern.arnPattern } })).toEqual(only("awsIdentity", byPattern));
  const principal = "SERVICE_PRINCIPAL_INGESTER";
  expect(await patch({ servicePrincipal: principal }, { updateMask: "servicePrincipal" })).toEqual(
    only("servicePrincipal", principal),
  );
  const { claimMatch } = world.claims("switch");
  expect(await patch({ claimMatch }, { updateMask: "claimMatch.issuer,claimMatch.subject" })).toEqual(
    only("claimMatch", claimMatch),
  );
  const both = { claimMatch, awsIdentity };
  const refused = await world.unchanged(() => world.send(owner.token, "identities.update", { uid, body: both }));
  invalid(refused, ["awsIdentity"]);
});

test("a delete that something blocks says what, and changes nothing", async () => {
  const make = async (id: string, parent: string, body: Wire): Promise<string> =>
    (await world.make(owner, id, { parent, body }))["uid"];
  const group = await make("groups.create", organization, { name: "full" });
  const blocked = async (id: string, uid: string, type: string, descriptions: readonly string[]) => {
    const answer = await world.unchanged(() => world.send(owner.token, id, { uid }));
    expect([answer.status, codeName(answer.json.code)]).toEqual([400, "FAILED_PRECONDITION"]);
    expect(answer.json.message).toBe(`Precondition failed: ${descriptions.join("; ")}`);
    expect(preconditionViolations(answer.json)).toEqual(
      descriptions.map((description) => ({ type, description, subject: uid })),
    );
  };
  const held: [string, string][] = [];
  const words: string[] = [];
  const role = await make("roles.create", group, { name: "held", capabilities: ["groups.list"] });
  const bot = await make("identities.create", group, { name: "held", ...world.claims("held") });
  for (const [id, uid, kind] of [
    ["groups.delete", await make("groups.create", group, { name: "held" }), "groups"],
    ["identities.delete", bot, "identities"],
    ["roles.delete", role, "roles"],
    ["roleBindings.delete", await make("roleBindings.create", group, { identityUid: bot, roleUid: role }), "role bindings"],
  ] as const) {
    held.unshift([id, uid]);
    words.push(`cannot delete group with child ${kind}`);
  }
  await blocked("groups.delete", group, "RESOURCE_NOT_EMPTY", words);
  await blocked("roles.delete", role, "RESOURCE_IN_USE", ["cannot delete role with role bindings"]);
  for (const [id, uid] of held) {
    await world.make(owner, id, { uid });
    words.pop();
    if (words.length > 0) await blocked("groups.delete", group, "RESOURCE_NOT_EMPTY", words);
  }
  await world.make(owner, "groups.delete", { uid: group });
});
