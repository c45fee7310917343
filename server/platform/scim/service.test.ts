import SCIMMY from "scimmy";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Person, Wire } from "../../conformance/world";
import { World } from "../../conformance/world";
import { BODIES } from "../../conformance/samples";
import {
  GROUP_SCHEMA,
  openDirectory,
  patchOf,
  TestDirectory,
  USER_SCHEMA,
  userBody,
} from "../../testing/scim";

const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

let world: World;
let owner: Person;
let folder: string;
let directory: TestDirectory;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  const organization = await world.create(owner, "groups", "", { name: "acme" });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
  directory = await newDirectory();
});
afterAll(() => world.service.stop());

async function newDirectory(): Promise<TestDirectory> {
  const body = BODIES["identityProviders"]!(world, owner, folder);
  return openDirectory(world, owner, await world.create(owner, "identityProviders", folder, body));
}

/** A refused request: status and scimType, in SCIM's own form. */
async function refused(method: string, path: string, body?: unknown, by = directory): Promise<string> {
  const answer = await by.call(method, path, body);
  const json = answer.json as Wire;
  expect(json["schemas"]).toEqual(["urn:ietf:params:scim:api:messages:2.0:Error"]);
  expect(json["status"]).toBe(String(answer.status));
  expect(String(answer.headers["content-type"])).toMatch(/^application\/scim\+json/);
  return [answer.status, json["scimType"]].filter(Boolean).join(" ");
}

test("a user of RFC 7643 is stored, read, replaced and removed, with an entity tag", async () => {
  SCIMMY.Schemas.User.definition.extend(SCIMMY.Schemas.EnterpriseUser.definition, false);
  const body = {
    schemas: [USER_SCHEMA, ENTERPRISE],
    externalId: "701984",
    userName: "bjensen@example.com",
    name: { formatted: "Ms. Barbara J Jensen, III", familyName: "Jensen", givenName: "Barbara" },
    displayName: "Babs Jensen",
    emails: [
      { value: "bjensen@example.com", type: "work", primary: true },
      { value: "babs@jensen.org", type: "home" },
    ],
    addresses: [{ type: "work", streetAddress: "100 Universal City Plaza", locality: "Hollywood" }],
    active: true,
    password: "t1meMa$heen",
    [ENTERPRISE]: { employeeNumber: "701984", manager: { value: "26118915" } },
  };
  const made = await directory.call("POST", "/Users", body);
  expect(made.status).toBe(201);
  const user = made.json as Wire;
  const { password: _secret, ...kept } = body;
  expect(user).toMatchObject(kept);
  expect(user).not.toHaveProperty("password");
  expect(user["meta"]).toMatchObject({
    resourceType: "User",
    location: made.headers["location"],
    version: 'W/"1"',
  });
  expect(made.headers["etag"]).toBe('W/"1"');
  // Another implementation of RFC 7643 reads the same.
  const coerced = new SCIMMY.Schemas.User(user as never, "out") as unknown as Wire;
  expect(coerced["userName"]).toBe(body.userName);
  expect(JSON.parse(JSON.stringify(coerced))["emails"]).toEqual(body.emails);

  const path = `/Users/${user["id"]}`;
  const call = (method: string, more: Wire, next?: unknown) => directory.call(method, path, next, more);
  expect((await call("GET", { "if-none-match": 'W/"1"' })).status).toBe(304);
  expect((await call("PUT", { "if-match": 'W/"7"' }, body)).status).toBe(412);
  const replaced = await call("PUT", { "if-match": 'W/"1"' }, { schemas: [USER_SCHEMA], userName: "babs" });
  expect(replaced.json).toMatchObject({
    userName: "babs",
    externalId: "701984",
    active: true,
    meta: { version: 'W/"2"' },
  });
  expect(replaced.json).not.toHaveProperty("emails");
  expect((await call("DELETE", {})).status).toBe(204);
  expect(await refused("GET", path)).toBe("404");
  expect(await refused("DELETE", path)).toBe("404");
});

test("a value in a filter is a JSON text, and a name is one however its letters are composed", async () => {
  const own = await newDirectory();
  const group = (displayName: string) =>
    own.call("POST", "/Groups", { schemas: [GROUP_SCHEMA], displayName });
  const find = async (filter: string, at = "/Groups") =>
    (await own.get(`${at}?filter=${encodeURIComponent(filter)}`))["totalResults"];
  const names = ["CORP\\Admins", 'The "A" team', "Größe", "line\nbreak", "C:\\", "a/b"];
  for (const name of names) expect((await group(name)).status).toBe(201);
  for (const text of [
    String.raw`"CORP\\Admins"`,
    String.raw`"corp\u005cadmins"`,
    String.raw`"The \"A\" team"`,
    String.raw`"Gr\u00f6\u00dfe"`,
    '"Größe"',
    JSON.stringify("Größe".normalize("NFD")),
    String.raw`"line\nbreak"`,
    String.raw`"C:\\"`,
    String.raw`"a\/b"`,
  ])
    expect([text, await find(`displayName eq ${text}`)]).toEqual([text, 1]);
  expect(await find(String.raw`displayName eq "CORP\\Admins" or not (displayName ne "C:\\")`)).toBe(2);
  // A text that is none of JSON's, and one without quotes.
  for (const filter of [
    String.raw`displayName eq "CORP\Admins"`,
    "displayName eq Admins",
    'displayName eq "a',
  ])
    expect([
      filter,
      await refused("GET", `/Groups?filter=${encodeURIComponent(filter)}`, undefined, own),
    ]).toEqual([filter, "400 invalidFilter"]);
  for (const name of ["corp\\ADMINS", "Größe".normalize("NFD")]) expect((await group(name)).status).toBe(409);
  await own.make("POST", "/Users", { schemas: [USER_SCHEMA], userName: "CORP\\dora" });
  expect(await find(String.raw`userName eq "CORP\\dora"`, "/Users")).toBe(1);
  expect(await find(String.raw`userName sw "CORP\\"`, "/Users")).toBe(1);
});

test("Entra: capitalised operations, booleans as text, paths with filters, whole groups without members", async () => {
  const own = await newDirectory();
  const find = (filter: string, at = "/Users") => own.get(`${at}?filter=${encodeURIComponent(filter)}`);
  expect(await find('userName eq "Test_User_1@acme.example"')).toMatchObject({
    totalResults: 0,
    Resources: [],
  });
  const { id } = await own.make("POST", "/Users", {
    schemas: [USER_SCHEMA, ENTERPRISE],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: "Test_User_1@acme.example",
    active: true,
    emails: [{ primary: true, type: "work", value: "one@acme.example" }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
  });
  for (const filter of [
    'userName eq "test_user_1@ACME.example"',
    'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
    'emails[type eq "work"].value eq "one@acme.example"',
    `${USER_SCHEMA}:userName sw "test" and active eq true`,
    'not (userName eq "x") and (name.familyName co "NAME" or title pr)',
    'meta.lastModified gt "2020-01-01T00:00:00Z"',
  ])
    expect([filter, (await find(filter))["totalResults"]]).toEqual([filter, 1]);
  expect((await find('externalId eq "0A21F0F2-8d2a-4f8e-bf98-7363c4aed4ef"'))["totalResults"]).toBe(0);
  const patched = await own.make(
    "PATCH",
    `/Users/${id}`,
    patchOf(
      { op: "Replace", path: 'emails[type eq "work"].value', value: "updated@acme.example" },
      { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+49 1" },
      { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
      { op: "Replace", path: "active", value: "False" },
      { op: "Add", path: `${ENTERPRISE}:department`, value: "IT" },
      { op: "Add", path: `${ENTERPRISE}:manager`, value: "boss" },
      {
        op: "Replace",
        value: { displayName: "New", "name.givenName": "G", [`${ENTERPRISE}:costCenter`]: "7" },
      },
    ),
  );
  expect(patched).toMatchObject({
    emails: [{ primary: true, type: "work", value: "updated@acme.example" }],
    phoneNumbers: [{ type: "mobile", value: "+49 1" }],
    name: { familyName: "updatedFamilyName", givenName: "G" },
    displayName: "New",
    active: false,
    [ENTERPRISE]: { department: "IT", manager: { value: "boss" }, costCenter: "7" },
  });

  const group = await own.make("POST", "/Groups", {
    schemas: [GROUP_SCHEMA, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
    externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
    displayName: "displayName",
    meta: { resourceType: "Group" },
  });
  const at = `/Groups/${group["id"]}`;
  const change = (...operations: Wire[]) => own.call("PATCH", at, patchOf(...operations));
  expect((await change({ op: "Add", path: "members", value: [{ $ref: null, value: id }] })).status).toBe(204);
  expect((await change({ op: "Add", path: "members", value: [{ value: id }] })).status).toBe(204);
  expect((await own.get(at))["members"]).toEqual([{ value: id, $ref: `${own.base}/Users/${id}` }]);
  expect(await own.get(`${at}?excludedAttributes=members`)).not.toHaveProperty("members");
  const found = await own.get(
    `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "displayname"')}`,
  );
  expect(found).toMatchObject({ totalResults: 1, Resources: [{ displayName: "displayName" }] });
  expect(found["Resources"][0]).not.toHaveProperty("members");
  expect((await find(`id eq "${group["id"]}" and members eq "${id}"`, "/Groups"))["totalResults"]).toBe(1);
  expect((await own.get(`/Users/${id}`))["groups"]).toMatchObject([
    { value: group["id"], display: "displayName" },
  ]);
  expect((await change({ op: "Replace", path: "displayName", value: "renamed" })).status).toBe(204);
  expect((await change({ op: "Remove", path: "members", value: [{ value: id }] })).status).toBe(204);
  expect(await own.get(at)).not.toHaveProperty("members");
  await change({ op: "Add", path: "members", value: [{ value: id }] });
  await change({ op: "Remove", path: `members[value eq "${id}"]` });
  expect(await own.get(`${at}?attributes=displayName,members`)).toEqual({
    schemas: [GROUP_SCHEMA],
    id: group["id"],
    displayName: "renamed",
  });
});

test("a PATCH whose work is a product is refused, after what it names was looked for", async () => {
  const user = await directory.make("POST", "/Users", userBody("patched"));
  const { id } = await directory.make("POST", "/Groups", {
    schemas: [GROUP_SCHEMA],
    displayName: "patched",
    members: [{ value: user["id"] }],
  });
  const invented = Array.from({ length: 3_000 }, (_, index) => ({ value: `nobody-${index}` }));
  const add = { op: "add", path: "members", value: invented };
  const path = `members[${Array.from({ length: 10 }, (_, index) => `display co "${index}"`).join(" or ")}]`;
  const heavy = Array.from({ length: 999 }, () => ({ op: "remove", path }));
  const answer = await directory.call("PATCH", `/Groups/${id}`, patchOf(add, ...heavy));
  expect([answer.status, (answer.json as Wire)["detail"]]).toEqual([
    400,
    'members: no user has the id "nobody-0"',
  ]);
  expect(await refused("PATCH", "/Groups/nowhere", patchOf(add, ...heavy))).toBe("404");
  const long = { op: "remove", path: `emails[value co "${"x".repeat(400)}" or value co "b"]` };
  const emails = Array.from({ length: 100 }, (_, index) => ({ value: `${index} ${"y".repeat(2_000)}` }));
  await directory.make("PATCH", `/Users/${user["id"]}`, patchOf({ op: "add", value: { emails } }));
  const many = Array.from({ length: 980 }, () => long);
  expect(await refused("PATCH", `/Users/${user["id"]}`, patchOf(...many))).toBe("400 tooMany");
  expect((await directory.get(`/Users/${user["id"]}`))["emails"]).toHaveLength(100);
});

test("PATCH requests at the same time all take effect", async () => {
  const ids = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(
      async (n) => (await directory.make("POST", "/Users", userBody(`same ${n}`)))["id"],
    ),
  );
  const { id } = await directory.make("POST", "/Groups", { schemas: [GROUP_SCHEMA], displayName: "same" });
  const add = (value: unknown) => patchOf({ op: "add", path: "members", value: [{ value }] });
  const answers = await Promise.all(ids.map((one) => directory.call("PATCH", `/Groups/${id}`, add(one))));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
  expect((await directory.get(`/Groups/${id}`))["members"]).toHaveLength(6);
});

test("a page ends at about 4 MB, a filter reads what it names, and nothing is left out", async () => {
  const large = await newDirectory();
  const photos = Array.from({ length: 30 }, () => ({ value: "x".repeat(8_000) }));
  for (let index = 0; index < 40; index += 1)
    // oxlint-disable-next-line no-await-in-loop -- a directory has few requests at a time
    await large.make(
      "POST",
      "/Users",
      userBody(`large ${index}`, { photos, title: index % 2 ? "odd" : "even" }),
    );
  const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer));
  const walk = async (query: string) => {
    const seen: string[] = [];
    const pages: number[] = [];
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ended
      const page = await large.get(`/Users?count=200&startIndex=${seen.length + 1}${query}`);
      pages.push(bytesOf(page));
      seen.push(...page["Resources"].map(({ id }: Wire) => id));
      if (seen.length >= page["totalResults"]) return { seen: new Set(seen).size, pages };
    }
  };
  for (const [query, number] of [
    ["", 40],
    [`&filter=${encodeURIComponent('title eq "ODD"')}`, 20],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { seen, pages } = await walk(query);
    expect(seen).toBe(number);
    expect(Math.max(...pages)).toBeLessThan(4_500_000);
    expect(pages.length).toBeLessThan(5);
  }
  expect(await refused("POST", "/Users", userBody("huge", { photos: [...photos, ...photos] }), large)).toBe(
    "400 invalidValue",
  );
});

test("references count for the size of a page: members of groups, and groups of users", async () => {
  const large = await newDirectory();
  const provider = large.base.split("/v2/")[1];
  const { database } = world.service;
  await database.query(
    `insert into scim_users (id, provider, user_name, active, resource, created_at, updated_at)
     select 'member-' || n, $1, 'member-' || n, true, '{"userName": "member"}', now(), now()
     from generate_series(1, 6000) n`,
    [provider],
  );
  await database.query(
    `insert into scim_groups (id, provider, name, name_key, created_at, updated_at)
     select 'group-' || n, $1, 'group-' || n, 'group-' || n, now(), now() from generate_series(1, 5) n`,
    [provider],
  );
  await database.query(
    `insert into scim_members (group_id, user_id) select 'group-' || g, 'member-' || u
     from generate_series(1, 5) g, generate_series(1, 6000) u`,
  );
  const groups = await large.get("/Groups");
  expect([groups["totalResults"], groups["itemsPerPage"]]).toEqual([5, 3]);
  expect((await large.get("/Groups?startIndex=4"))["itemsPerPage"]).toBe(2);
  expect((await large.get("/Groups?excludedAttributes=members"))["itemsPerPage"]).toBe(5);
  const some = encodeURIComponent('members[value eq "member-7"]');
  expect((await large.get(`/Groups?filter=${some}`))["itemsPerPage"]).toBe(3);
  expect((await large.get("/Users?count=200"))["itemsPerPage"]).toBe(200);
  await database.query("delete from scim_members where group_id like 'group-%'");
  await database.query("delete from scim_users where id like 'member-%'");
});

test("a filter has a budget of rows times terms", async () => {
  const terms = (count: number) =>
    Array.from({ length: count }, (_, index) => `title co "${index}"`).join(" or ");
  const search = (count: number) =>
    directory.call("POST", "/Users/.search", { filter: terms(count), count: 0 });
  expect((await search(10)).status).toBe(200);
  const { database } = world.service;
  await database.query(
    `insert into scim_users (id, provider, user_name, active, resource, created_at, updated_at)
     select 'many-' || n, $1, 'many-' || n, true, '{"userName": "many"}', now(), now()
     from generate_series(1, 3000) n`,
    [directory.base.split("/v2/")[1]],
  );
  expect((await search(10)).status).toBe(200);
  const answer = await search(200);
  expect([answer.status, (answer.json as Wire)["scimType"]]).toEqual([400, "tooMany"]);
  await database.query("delete from scim_users where id like 'many-%'");
});

test("names have at most 1,000 bytes", async () => {
  const long = "x".repeat(1_001);
  expect(await refused("POST", "/Users", userBody("y", { userName: long }))).toBe("400 invalidValue");
  expect(await refused("POST", "/Users", userBody("y", { externalId: long }))).toBe("400 invalidValue");
  expect(await refused("POST", "/Groups", { schemas: [GROUP_SCHEMA], displayName: long })).toBe(
    "400 invalidValue",
  );
});

test("Okta: lists by startIndex and count, PUT, and PATCH of active without a path", async () => {
  const own = await newDirectory();
  expect(await own.get("/Users?startIndex=1&count=2")).toEqual({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"])
    ids.push((await own.make("POST", "/Users", userBody(name)))["id"]);
  const page = async (search: string) => {
    const { totalResults, startIndex, itemsPerPage, Resources } = await own.get(`/Users?${search}`);
    expect(itemsPerPage).toBe(Resources.length);
    return [totalResults, startIndex, (Resources as Wire[]).map(({ externalId }) => externalId).join("")];
  };
  expect(await page("startIndex=1&count=100")).toEqual([5, 1, "abcde"]);
  expect(await page("startIndex=4&count=2")).toEqual([5, 4, "de"]);
  expect(await page("startIndex=9&count=2")).toEqual([5, 9, ""]);
  expect(await page("startIndex=-3&count=0")).toEqual([5, 1, ""]);
  expect(
    await page(`startIndex=2&count=2&filter=${encodeURIComponent('userName ne "a@acme.example"')}`),
  ).toEqual([4, 2, "cd"]);
  const put = await own.make("PUT", `/Users/${ids[0]}`, {
    schemas: [USER_SCHEMA],
    id: ids[0],
    userName: "a@acme.example",
    name: { givenName: "Another", middleName: "", familyName: "User" },
    emails: [{ primary: true, value: "a@acme.example", type: "work", display: "a@acme.example" }],
    active: false,
    groups: [],
    meta: { resourceType: "User" },
  });
  expect(put).toMatchObject({ active: false, name: { givenName: "Another" }, externalId: "a" });
  expect(
    await own.make("PATCH", `/Users/${ids[0]}`, patchOf({ op: "replace", value: { active: true } })),
  ).toMatchObject({
    active: true,
  });
  const group = await own.make("POST", "/Groups", {
    schemas: [GROUP_SCHEMA],
    displayName: "Test SCIMv2",
    members: [],
  });
  const members = [{ value: ids[0], display: "a" }, { value: ids[1] }];
  const put2 = await own.make("PUT", `/Groups/${group["id"]}`, {
    schemas: [GROUP_SCHEMA],
    id: group["id"],
    displayName: "Test SCIMv2",
    members,
  });
  expect((put2["members"] as Wire[]).map(({ value }) => value).toSorted()).toEqual(
    [ids[0], ids[1]].toSorted(),
  );
  await own.make(
    "PATCH",
    `/Groups/${group["id"]}`,
    patchOf({ op: "replace", value: { id: group["id"], displayName: "renamed" } }),
  );
  expect((await own.get(`/Groups/${group["id"]}`))["displayName"]).toBe("renamed");
  const search = await own.make("POST", "/Users/.search", {
    filter: 'externalId eq "c"',
    attributes: ["userName"],
  });
  expect(search["Resources"]).toEqual([{ schemas: [USER_SCHEMA], id: ids[2], userName: "c@acme.example" }]);
  const all = async (startIndex: number, count: number) => {
    const found = await own.make("POST", "/.search", { startIndex, count, attributes: ["displayName"] });
    return [
      found["totalResults"],
      (found["Resources"] as Wire[]).map(({ displayName }) => displayName).join(),
    ];
  };
  expect(await all(1, 100)).toEqual([6, ",b,c,d,e,renamed"]);
  expect(await all(5, 2)).toEqual([6, "e,renamed"]);
  expect(await all(6, 2)).toEqual([6, "renamed"]);
  expect(await all(7, 2)).toEqual([6, ""]);
  const removed = await own.make(
    "PATCH",
    `/Users/${ids[2]}`,
    patchOf({ op: "add", path: `${ENTERPRISE}:division`, value: "x" }),
  );
  expect(removed[ENTERPRISE]).toEqual({ division: "x" });
  expect(
    await own.make("PATCH", `/Users/${ids[2]}`, patchOf({ op: "remove", path: ENTERPRISE })),
  ).not.toHaveProperty(ENTERPRISE);
});

test("what this service can do is described, and another implementation reads it", async () => {
  const config = await directory.get("/ServiceProviderConfig");
  expect(config).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  });
  const { Resources: schemas } = await directory.get("/Schemas");
  expect((schemas as Wire[]).map(({ id }) => id)).toEqual([USER_SCHEMA, ENTERPRISE, GROUP_SCHEMA]);
  // Each attribute that RFC 7643 defines is there, with its type.
  const theirs = SCIMMY.Schemas.User.definition.describe("") as unknown as { attributes: Wire[] };
  const ours = new Map((schemas[0]["attributes"] as Wire[]).map((one) => [one["name"], one]));
  for (const one of JSON.parse(JSON.stringify(theirs.attributes)) as Wire[]) {
    // Never stored here.
    if (one["name"] === "password" || one["name"] === undefined || String(one["id"]).startsWith("urn:"))
      continue;
    expect([one["name"], ours.get(one["name"])?.["multiValued"]]).toEqual([one["name"], one["multiValued"]]);
  }
  const { Resources: types } = await directory.get("/ResourceTypes");
  expect((types as Wire[]).map(({ endpoint }) => endpoint)).toEqual(["/Users", "/Groups"]);
  expect(await directory.get(`/Schemas/${GROUP_SCHEMA}`)).toMatchObject({ name: "Group" });
  expect(await refused("GET", "/Schemas/none")).toBe("404");
  expect(await refused("GET", "/Schemas?filter=x")).toBe("403");
});

test("every malformed request is a SCIM error, and changes nothing", async () => {
  const own = await newDirectory();
  const { id } = await own.make("POST", "/Users", userBody("kept"));
  const { id: group } = await own.make("POST", "/Groups", { displayName: "kept", members: [{ value: id }] });
  const before = [await own.get("/Users"), await own.get("/Groups")];
  const of = (method: string, path: string, body?: unknown) => refused(method, path, body, own);
  const users: [unknown, string][] = [
    [{}, "400 invalidValue"],
    [{ userName: "" }, "400 invalidValue"],
    [{ userName: 7, active: "maybe" }, "400 invalidValue"],
    [{ userName: "x", emails: "x", name: "y", externalId: ["a"] }, "400 invalidValue"],
    [{ userName: "x\0" }, "400 invalidValue"],
    [{ userName: "x", title: "t".repeat(9_000) }, "400 invalidValue"],
    [{ userName: "x", emails: Array.from({ length: 101 }, () => ({ value: "a" })) }, "400 invalidValue"],
    [[], "400 invalidSyntax"],
    ["text", "400 invalidSyntax"],
    [{ userName: "KEPT@acme.example", externalId: "other" }, "409 uniqueness"],
    [{ userName: "other", externalId: "kept" }, "409 uniqueness"],
  ];
  for (const [body, outcome] of users)
    expect([body, await of("POST", "/Users", body)]).toEqual([body, outcome]);
  const patches: [Wire, string][] = [
    [{ op: "move", path: "title" }, "400 invalidSyntax"],
    [{ op: "replace", path: "nothing", value: "x" }, "400 invalidPath"],
    [{ op: "replace", path: "__proto__.polluted", value: "x" }, "400 invalidPath"],
    [{ op: "replace", path: "constructor.prototype.polluted", value: "x" }, "400 invalidPath"],
    [{ op: "add", value: { "constructor.prototype.polluted": "x" } }, "400 invalidPath"],
    [{ op: "replace", path: 'emails[type eq "work', value: "x" }, "400 invalidPath"],
    [{ op: "replace", path: "emails[type eq].value", value: "x" }, "400 invalidFilter"],
    [{ op: "replace", path: 'emails[type ne "work"].value', value: "x" }, "400 noTarget"],
    [{ op: "replace", path: "groups", value: [{ value: group }] }, "400 mutability"],
    [{ op: "replace", path: "active", value: "often" }, "400 invalidValue"],
    [{ op: "replace", path: "userName" }, "400 invalidValue"],
    [{ op: "remove" }, "400 noTarget"],
    [{ op: "remove", path: "userName" }, "400 invalidValue"],
    [{ op: "add", value: "x" }, "400 invalidValue"],
    [{ op: "add", path: 7, value: "x" }, "400 invalidPath"],
  ];
  for (const [operation, outcome] of patches) {
    // With one that would work: all or none.
    const body = patchOf({ op: "replace", path: "title", value: "changed" }, operation);
    expect([operation, await of("PATCH", `/Users/${id}`, body)]).toEqual([operation, outcome]);
  }
  expect(await of("PATCH", `/Users/${id}`, { Operations: [] })).toBe("400 invalidSyntax");
  expect(await of("PATCH", `/Users/${id}`, patchOf())).toBe("400 invalidSyntax");
  expect(await of("PATCH", `/Users/${id}`, patchOf(7 as never))).toBe("400 invalidSyntax");
  expect(await of("PUT", `/Groups/${group}`, { displayName: "kept", members: [{ value: "nobody" }] })).toBe(
    "400 invalidValue",
  );
  expect(await of("POST", "/Groups", { displayName: "Kept" })).toBe("409 uniqueness");
  for (const filter of [
    "x",
    "userName eq",
    "(((",
    `${"(".repeat(3_000)}`,
    'userName regex "x"',
    "meta.created gt 'x'",
  ])
    expect([filter, await of("GET", `/Users?filter=${encodeURIComponent(filter)}`)]).toEqual([
      filter,
      "400 invalidFilter",
    ]);
  expect(await of("GET", `/Users?filter=${encodeURIComponent('meta.created gt "x"')}`)).toBe(
    "400 invalidFilter",
  );
  expect(await of("GET", "/Users?startIndex=one")).toBe("400 invalidValue");
  expect(await of("GET", "/Users/nobody")).toBe("404");
  expect(await of("GET", "/Users/%E0%A4%A")).toBe("404");
  expect(await of("GET", "/Things")).toBe("404");
  expect(await of("GET", "/")).toBe("404");
  expect(await of("POST", "/Bulk", {})).toBe("501");
  expect(await of("GET", "/Me")).toBe("501");
  expect(await of("DELETE", "/Users")).toBe("405");
  expect(await of("PATCH", "/Schemas", {})).toBe("405");
  for (const path of ["/scim", "/scim/v2", "/scim/v2/x/Users"]) {
    const answer = await world.service.call("GET", path, { token: own.token });
    expect([path, answer.status, answer.headers["content-type"]]).toEqual([
      path,
      404,
      "application/scim+json",
    ]);
  }
  const text = await own.call("POST", "/Users", undefined, { "content-type": "text/plain" });
  expect(text.status).toBe(400);
  expect([await own.get("/Users"), await own.get("/Groups")]).toEqual(before);
  expect(({} as Wire)["polluted"]).toBeUndefined();
});

test("one provider's token opens no other's directory, and nothing without a token or while SCIM is off", async () => {
  const [one, other] = [await newDirectory(), await newDirectory()];
  const { id } = await other.make("POST", "/Users", userBody("theirs"));
  const { id: group } = await other.make("POST", "/Groups", { displayName: "theirs" });
  const thief = new TestDirectory(other.base, one.token);
  for (const [method, path, body] of [
    ["GET", "/Users"],
    ["GET", `/Users/${id}`],
    ["POST", "/Users", userBody("planted")],
    ["PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { active: false } })],
    ["DELETE", `/Users/${id}`],
    ["GET", "/ServiceProviderConfig"],
  ] as const)
    expect([path, await refused(method, path, body, thief)]).toEqual([path, "401"]);
  // By way of its own address.
  for (const path of [`/Users/${id}`, `/Groups/${group}`]) {
    expect(await refused("GET", path, undefined, one)).toBe("404");
    expect(await refused("DELETE", path, undefined, one)).toBe("404");
  }
  const members = { displayName: "mine", members: [{ value: id }] };
  expect(await refused("POST", "/Groups", members, one)).toBe("400 invalidValue");
  expect((await other.get("/Users"))["totalResults"]).toBe(1);
  // Of the service itself, it opens nothing either.
  expect((await world.service.call("GET", "/iam/v2/groups", { token: one.token })).status).toBe(401);
  expect((await new TestDirectory(one.base, owner.token).call("GET", "/Users")).status).toBe(401);
  const nobody = await world.service.call("GET", `/scim/v2/${"f".repeat(40)}/Users`, { token: one.token });
  expect(nobody.status).toBe(401);
  expect(String(nobody.headers["www-authenticate"])).toContain("invalid_token");
  const uid = one.base.slice(one.base.indexOf("/scim/v2/") + 9);
  const { scim } = await world.make(owner, "identityProviders.get", { uid });
  const body = { enabled: false, etag: scim.etag };
  await world.make(owner, "identityProviders.setScimEnabled", { uid, body });
  expect(await refused("GET", "/Users", undefined, one)).toBe("403");
  expect(await refused("POST", "/Users", userBody("late"), one)).toBe("403");
  await world.make(owner, "identityProviders.revokeScimToken", { uid, body: {} });
  expect(await refused("GET", "/Users", undefined, one)).toBe("401");
});
