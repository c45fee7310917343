import { generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { VALIDATE_ONLY, type Endpoint } from "platform-contract/endpoint";
import { endpoints, resourceOf, resources } from "platform-contract";
import { parentOf } from "platform-contract/aip";
import { isExtension } from "platform-contract/extensions";
import { READ_ONLY } from "platform-contract/sts/read-only";
import { codeName, errorInfo, RESOURCE_INFO } from "platform-contract/status";

import { builtInRoleUid } from "../domains/access/roles.table";
import { writes } from "../platform/audit/writes";
import type { Answer } from "../testing/app";
import { signed } from "../testing/issuer";
import { LONG } from "../testing/long";
import { OPERATION_BODIES, QUERIES } from "./operation-bodies";
import { BODIES } from "./samples";
import { ARTIFACT, collectionAbove, fieldsOf, World, type Input, type Person, type Wire } from "./world";

const DIGEST = `sha256:${"a".repeat(64)}`;
/** Operations with a body in which nothing is required. */
const ALL_OPTIONAL = [
  "eligibleGrants.deactivate",
  "accessReviews.apply",
  "accessReviews.close",
  "groups.acceptAccess",
  "groups.requestGroupAccess",
  "identityProviders.generateScimToken",
  "identityProviders.revokeScimToken",
  "machineOwners.set",
  "retentionRules.stop",
  "subscriptions.sendTest",
];
const NOWHERE = "f".repeat(16);

let world: World;
let owner: Person;
/** Has every capability in the organization, but only in the other folder. */
let neighbour: Person;
let folder: string;
/** The folder where the neighbour has every capability. */
let neighbourhood: string;
/** One record of each collection, in the folder. */
const target = new Map<string, string>();
/** An access review, and one of its items: they are no resources. */
let reviewed: Readonly<Record<string, string>> = {};
/** The parent of a collection's records. */
const above = (collection: string): string => {
  const holder = collectionAbove(collection);
  return (holder === "groups" ? undefined : target.get(holder)) ?? folder;
};
const badTokens = new Map<string, string | undefined>();

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  const make = (collection: string, parent: string, body: Wire) =>
    world.create(owner, collection, parent, body);
  const organization = await make("groups", "", { name: "organization" });
  folder = await make("groups", organization, { name: "folder" });
  const sibling = await make("groups", organization, { name: "sibling" });
  neighbourhood = sibling;
  neighbour = await world.person("neighbour");
  await world.bind(owner, sibling, neighbour.uid, "owner");
  for (const { collection } of resources) {
    const parent = await world.room(owner, collection, above(collection));
    target.set(collection, await make(collection, parent, BODIES[collection]!(world, owner, parent)));
  }
  const body = OPERATION_BODIES["accessReviews.create"]!(world, owner, folder);
  const review = await world.make(owner, "accessReviews.create", { parent: folder, body });
  reviewed = { accessReviews: review["uid"], accessReviewItems: `${review["uid"]}/${"0".repeat(16)}` };
  await world.service.database.query("insert into manifests values ($1, $2, 'amd64', 1000)", [
    target.get("repos"),
    DIGEST,
  ]);
  const { token, issuer, url } = world.service;
  const { privateKey } = await generateKeyPair("ES256");
  badTokens
    .set("none", undefined)
    .set("garbage", "garbage")
    .set("expired", await token("owner", {}, { issuedAt: new Date("2020-01-01") }))
    .set("for another audience", await token("owner", { aud: "https://elsewhere.example" }))
    .set("of an issuer that is not trusted", await token("owner", { iss: "https://elsewhere.example" }))
    .set("of another key", await signed(privateKey, { iss: issuer.url, sub: "target", aud: url }))
    .set("of a machine, for another audience", await issuer.sign({ sub: "x", aud: "https://elsewhere" }))
    .set("an ID token", await token("owner", {}, { typ: "JWT" }));
});
afterAll(() => world.service.stop());

/** No token, and one of the bad tokens; operations take turns with those. */
function inTurn(index: number): readonly (readonly [string, string | undefined])[] {
  const [none, ...others] = [...badTokens];
  return [none!, others[index % others.length]!];
}

const BESIDE = ["uid", "parent", "handler"];
// A question about oneself is never refused, and names its record in the query: decisions.test.ts has that.
const isBeside = ({ id, access }: Endpoint): boolean =>
  BESIDE.includes(access.at) && id !== "accessDecisions.get";

/**
 * A request that would succeed for an authorized caller; with `missing`, for a record or parent that does not exist.
 */
function inputOf({ collection, id, verb }: Endpoint, missing = false): Input {
  const parent = above(collection);
  const there = { uid: target.get(collection) ?? reviewed[collection] ?? parent, parent, digest: DIGEST };
  const gone = { uid: `${folder}/${NOWHERE}`, parent: `${folder}/${NOWHERE}`, digest: DIGEST };
  const input = missing ? gone : there;
  const whole = OPERATION_BODIES[id]?.(world, owner, input.parent);
  const standard =
    verb === "create" || verb === "update" ? BODIES[collection]?.(world, owner, parent) : undefined;
  const body = whole ?? standard;
  return { ...input, query: QUERIES[id] ?? {}, ...(body && { body }) };
}

const summary = (answer: Answer) => ({ http: answer.status, code: codeName(answer.json.code) });
const REFUSED = { http: 403, code: "PERMISSION_DENIED" };

/** An error response without the parts that repeat the request. */
function anonymous({ status, headers, json }: Answer): unknown {
  const { date: _date, "x-request-id": _id, "content-length": _length, ...rest } = headers;
  const text = JSON.stringify(json).replaceAll(/[0-9a-f]{40}(?:\/[0-9a-f]{16})*/g, "<uid>");
  return { status, headers: rest, text };
}

/** Rows in the folder, under any plural. */
const rowsInFolder = (json: Wire): string[] =>
  Object.values(json)
    .flat()
    .map((row: unknown) => String(Object(row)["uid"]))
    .filter((uid) => uid.startsWith(folder));

test("every resource has a record here", () => {
  expect([...target.keys()]).toEqual(resources.map(({ collection }) => collection));
});

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (id, endpoint) => {
  const { access, collection } = endpoint;
  const area = endpoint.path.split("/")[1];

  test("takes no token but a whole one", async () => {
    await world.unchanged(async () => {
      for (const [name, token] of LONG ? badTokens : inTurn(endpoints.indexOf(endpoint))) {
        const answer = await world.send(token, id, inputOf(endpoint));
        expect({ name, ...summary(answer) }).toEqual({ name, http: 401, code: "UNAUTHENTICATED" });
        expect(errorInfo(answer.json)).toMatchObject({
          reason: "UNAUTHENTICATED",
          domain: `${area}.platform.example`,
        });
        expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm=/);
      }
    });
  });

  test("is refused to a token that only reads, if it writes, and answers as ever if it reads", async () => {
    const token = await world.service.token("owner", { [READ_ONLY]: true });
    if (!writes(endpoint)) {
      const [whole, limited] = [
        await world.send(owner.token, id, inputOf(endpoint)),
        await world.send(token, id, inputOf(endpoint)),
      ];
      return expect(summary(limited)).toEqual(summary(whole));
    }
    await world.unchanged(async () => {
      const refused = await world.send(token, id, inputOf(endpoint));
      expect(summary(refused)).toEqual(REFUSED);
      expect(errorInfo(refused.json)).toMatchObject({ metadata: { reason: "READ_ONLY_TOKEN" } });
      // To check a write is not to read either.
      const query = { ...inputOf(endpoint).query, [VALIDATE_ONLY]: "true" };
      expect(summary(await world.send(token, id, { ...inputOf(endpoint), query }))).toEqual(REFUSED);
    });
  });

  // The table in authorization.test.ts also covers that it requires each capability and no other.
  if (LONG && isBeside(endpoint))
    test("refuses who lacks the capability, and tells who has it alone what is not there", async () => {
      const all = endpoints.flatMap(({ access: { needs } }) => [...needs]);
      const others = [...new Set(all)].filter((capability) => !access.needs.includes(capability as never));
      const without = await world.holder(owner, `all but ${id}`, others, folder);
      const only = await world.holder(owner, `only ${id}`, access.needs, folder);
      const here = await world.unchanged(() => world.send(without.token, id, inputOf(endpoint)));
      expect(summary(here)).toEqual(REFUSED);
      expect(errorInfo(here.json)).toMatchObject({
        reason: "PERMISSION_DENIED",
        domain: `${area}.platform.example`,
        metadata: { capability: access.needs.join(",") },
      });
      // Byte for byte the same response for a record that exists and one that does not.
      const gone = await world.send(without.token, id, inputOf(endpoint, true));
      expect(anonymous(gone)).toEqual(anonymous(here));
      const unknown = await world.send(only.token, id, inputOf(endpoint, true));
      expect(summary(unknown)).toEqual({ http: 404, code: "NOT_FOUND" });
      expect(unknown.json.details?.[1]).toMatchObject({
        "@type": RESOURCE_INFO,
        resourceName: `${folder}/${NOWHERE}`,
      });
    });

  if (isBeside(endpoint))
    test("refuses the owner of the folder beside, in the same words for what is there and what is not", async () => {
      await world.unchanged(async () => {
        const here = await world.send(neighbour.token, id, inputOf(endpoint));
        expect(summary(here)).toEqual(REFUSED);
        const gone = await world.send(neighbour.token, id, inputOf(endpoint, true));
        expect(anonymous(gone)).toEqual(anonymous(here));
      });
      const unknown = await world.send(owner.token, id, inputOf(endpoint, true));
      expect(summary(unknown)).toEqual({ http: 404, code: "NOT_FOUND" });
    });

  if (access.at === "visible" && resourceOf(collection))
    test("holds nothing of what the caller may not see, the total included", async () => {
      const stranger = await world.person("stranger");
      expect(rowsInFolder((await world.send(owner.token, id)).json)).toContain(target.get(collection));
      for (const { token } of [stranger, neighbour]) {
        const { status, json } = await world.send(token, id);
        expect(status).toBe(200);
        expect(rowsInFolder(json)).toEqual([]);
        expect(json["totalCount"]).toBe(String((json[collection] as unknown[]).length));
        const asked = { query: { "uidp.descendants_of": folder } };
        expect((await world.send(token, id, asked)).json).toMatchObject({
          [collection]: [],
          totalCount: "0",
        });
      }
    });

  if (access.at === "anyone")
    test("answers everybody whose token is valid", async () => {
      const newcomer = await world.machine("newcomer");
      // Every caller has permission, but the record may not exist.
      const { status } = await world.send(newcomer, id, inputOf(endpoint));
      expect([200, 404]).toContain(status);
    });

  // There, everything in the body is optional.
  if (endpoint.body && !ALL_OPTIONAL.includes(id))
    test("an empty body is one without any field", async () => {
      const { body: _body, ...empty } = inputOf(endpoint);
      const answer = await world.send(owner.token, id, empty);
      const { body: _same, ...braces } = inputOf(endpoint);
      expect((await world.send(owner.token, id, { ...braces, body: {} })).status).toBe(answer.status);
      if (endpoint.method === "PATCH") return expect(answer.status).toBe(200);
      expect(summary(answer)).toEqual({ http: 400, code: "INVALID_ARGUMENT" });
      expect(answer.json.message).toMatch(/^Invalid argument: /);
      return expect(fieldsOf(answer)).not.toEqual([]);
    });

  test("is called by its own methods alone", async () => {
    const path = endpoint.path
      .replace("{digest}", DIGEST)
      .replace("{artifactId}", ARTIFACT)
      .replace(/\{\w+\}/, inputOf(endpoint).uid ?? folder);
    const { token } = owner;
    const answer = await world.unchanged(() => world.service.call("PUT", path, { token, body: {} }));
    expect(summary(answer)).toEqual({ http: 501, code: "UNIMPLEMENTED" });
    expect(answer.headers.allow).toContain(endpoint.method);
  });
});

test("a person is hidden in the same words as nobody", async () => {
  const hidden = await world.person("hidden");
  const of = (uid: string) => world.send(owner.token, "identities.get", { uid });
  const refusal = await of(hidden.uid);
  expect(summary(refusal)).toEqual(REFUSED);
  expect(anonymous(await of("f".repeat(40)))).toEqual(anonymous(refusal));
  for (const id of ["identities.update", "identities.delete"]) {
    const [there, gone] = [hidden.uid, "f".repeat(40)].map((uid) =>
      world.send(owner.token, id, { uid, body: {} }),
    );
    expect(summary((await there)!)).toEqual(REFUSED);
    expect(anonymous((await gone)!)).toEqual(anonymous((await there)!));
  }
});

test("an organization that is hidden and one that is not there are refused alike", async () => {
  const hidden = await world.make(neighbour, "groups.create", { body: { name: "hidden" } });
  for (const id of ["groups.get", "groups.update", "groups.delete", "identities.create", "groups.create"]) {
    const [there, gone] = [hidden["uid"] as string, "f".repeat(40)].map((uid) =>
      world.send(owner.token, id, { uid, parent: uid, body: {} }),
    );
    expect(summary((await there)!)).toEqual(REFUSED);
    expect(anonymous((await gone)!)).toEqual(anonymous((await there)!));
  }
});

/** Of these only the number of rows: events of the writes before are sent meanwhile. */
const SENDING = ["event_deliveries", "event_sinks"];
/** What the service writes by itself, each minute. */
const OWN_TIME = ["capability_use", "capability_use_start", "ending_events"];

/** A digest of each table's rows, but for when identities were last seen. */
async function tables(): Promise<Wire> {
  const { database } = world.service;
  const names = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  const digests: Wire = {};
  for (const { name } of names) {
    if (OWN_TIME.includes(name)) continue;
    const [row] = await database.query<{ digest: string | null }>(
      `select md5(string_agg(row, '' order by row)) as digest
        from (select ${SENDING.includes(name) ? "''" : "(to_jsonb(t) - 'last_seen_at')::text"} as row from "${name}" t) rows`,
    );
    digests[name] = row?.digest ?? "";
  }
  return digests;
}

/** Who lacks what an operation at the folder needs, by what they have instead. */
async function lacking(needs: readonly string[], role: (capabilities: readonly string[]) => Promise<string>) {
  const all: readonly string[] = (await world.make(owner, "roles.get", { uid: builtInRoleUid("owner") }))[
    "capabilities"
  ];
  const [one = "", ...others] = needs;
  const almost = await role(all.filter((capability) => capability !== one));
  const person = async (name: string) => world.person(`${name} ${one}`);
  const granted = async (name: string, group: string, roleUid: string) => {
    const somebody = await person(name);
    await world.bind(owner, group, somebody.uid, roleUid);
    return somebody.token;
  };
  const eligible = await person("eligible");
  await world.bind(owner, folder, eligible.uid, almost);
  await world.make(owner, "eligibleGrants.create", {
    parent: folder,
    body: { identityUid: eligible.uid, roleUid: builtInRoleUid("owner"), maxDuration: "3600s" },
  });
  const ended = await person("ended");
  const { uid } = await world.bind(owner, folder, ended.uid, "owner");
  await world.make(owner, "roleBindings.delete", { uid });
  const below = await world.create(owner, "groups", folder, { name: `below ${one.slice(0, 40)}` });
  return [
    await granted("almost", folder, almost),
    await granted("with the others", folder, others.length > 0 ? await role(others) : almost),
    await granted("beside", neighbourhood, builtInRoleUid("owner")),
    await granted("below", below, builtInRoleUid("owner")),
    eligible.token,
    ended.token,
    (await person("stranger")).token,
    await world.machine(`stranger ${one}`),
  ];
}

const EXTENSIONS = endpoints.filter(
  (one) => isExtension(one) && writes(one) && (one.access.at === "uid" || one.access.at === "parent"),
);

test("forty attempts at each extension by people who lack one right change nothing", async () => {
  const roles = new Map<string, string>();
  const role = async (capabilities: readonly string[]) => {
    const key = capabilities.join(" ");
    const known = roles.get(key);
    if (known !== undefined) return known;
    const body = { name: `attempts ${roles.size}`, capabilities };
    const { uid } = await world.make(owner, "roles.create", { parent: parentOf(folder), body });
    roles.set(key, uid);
    return String(uid);
  };
  const callers = new Map<string, readonly string[]>();
  for (const { access } of EXTENSIONS)
    if (!callers.has(access.needs.join(" ")))
      callers.set(access.needs.join(" "), await lacking(access.needs, role));
  const before = await unlogged();
  let attempts = 0;
  for (const endpoint of EXTENSIONS) {
    const input = inputOf(endpoint);
    const body: Wire = Object(input.body);
    const own = { uid: `${neighbourhood}/${NOWHERE}`, parent: neighbourhood };
    const shapes: readonly Input[] = [
      input,
      { ...input, body: { ...body, ...own } },
      { ...input, body: { ...body, [endpoint.collection]: { ...body, ...own } } },
      { ...input, query: { ...input.query, updateMask: "*", [VALIDATE_ONLY]: "false" } },
      {
        ...input,
        query: { ...input.query, uid: own.uid, parent: own.parent, "uidp.descendants_of": neighbourhood },
      },
    ];
    for (const token of callers.get(endpoint.access.needs.join(" ")) ?? [])
      for (const shape of shapes) {
        attempts += 1;
        const { status } = await world.send(
          token,
          endpoint.id,
          endpoint.body ? shape : { ...shape, body: undefined },
        );
        expect([endpoint.id, status]).toEqual([endpoint.id, 403]);
      }
  }
  expect(attempts).toBe(EXTENSIONS.length * 40);
  expect(await unlogged()).toEqual(before);
});

/** What no attempt may change: the log tells of each, and of whom it has seen. */
async function unlogged(): Promise<Wire> {
  const {
    audit_entries: _e,
    audit_heads: _h,
    audit_subjects: _s,
    audit_counts: _c,
    ...rest
  } = await tables();
  return rest;
}

/** Some responses are empty. */
const outcome = (answer: Answer) => (answer.bytes.length === 0 ? { http: answer.status } : summary(answer));

const checkable = endpoints.filter(({ query }) => VALIDATE_ONLY in query);

test("every operation that writes can be checked, or has a field for that", () => {
  const others = endpoints.filter((one) => writes(one) && !checkable.includes(one)).map(({ id }) => id);
  expect(others).toEqual(["groupInvites.register", "retentionRuns.restore"]);
});

// The last in this file: these writes are done.
test.each(checkable.map((endpoint) => [endpoint.id, endpoint] as const))(
  "%s answers validateOnly as it then does, and writes nothing",
  async (id, endpoint) => {
    const input = inputOf(endpoint);
    const only = { ...input, query: { ...input.query, [VALIDATE_ONLY]: "true" } };
    const before = await tables();
    const checked = await world.send(owner.token, id, only);
    const unknown = await world.send(neighbour.token, id, only);
    expect(await tables()).toEqual(before);
    if (endpoint.refusesValidateOnly) {
      expect(fieldsOf(checked)).toEqual([VALIDATE_ONLY]);
      return;
    }
    if (checked.status === 200)
      expect(checked.bytes.length === 0 || checked.json).toEqual(endpoint.answer ? {} : true);
    const refused = await world.send(neighbour.token, id, input);
    expect(outcome(unknown)).toEqual(outcome(refused));
    const done = await world.send(owner.token, id, input);
    expect(outcome(checked)).toEqual(outcome(done));
    if (done.status === 200 && !id.startsWith("roleBindings.batch"))
      expect(await tables()).not.toEqual(before);
  },
);
