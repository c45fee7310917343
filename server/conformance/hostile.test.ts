import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { pathOf, type Endpoint, type Schema } from "platform-contract/endpoint";
import { endpoints } from "platform-contract";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import { CODES, codeName } from "platform-contract/status";

import { send } from "../testing/app";
import { LONG } from "../testing/long";
import { QUERIES } from "./operation-bodies";
import { BODIES } from "./samples";
import { ARTIFACT, collectionAbove, World, type Person, type Wire } from "./world";

// Every request gets a response that follows the contract, never an internal error, and rejected requests write
// nothing.
const DIGEST = `sha256:${"a".repeat(64)}`;
const DEEP = `${"f".repeat(40)}${"/0000000000000000".repeat(3_000)}`;

let world: World;
let owner: Person;
let folder: string;
const target = new Map<string, string>();

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  folder = (await world.make(owner, "groups.create", { body: { name: "organization" } }))["uid"];
  for (const [name, body] of Object.entries(BODIES)) {
    const above = collectionAbove(name);
    const parent = await world.room(
      owner,
      name,
      (above === "groups" ? undefined : target.get(above)) ?? folder,
    );
    target.set(name, await world.create(owner, name, parent, body(world, owner, parent)));
  }
});
afterAll(() => world.service.stop());

/** Sends a raw request; returns undefined if the response is as it should be. */
async function complaint(
  { method }: Endpoint,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await send(world.service.url, {
    method,
    target: path,
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
    ...(body !== undefined && { body }),
  });
  if (answer.status === 200) return undefined;
  const { code, details } = answer.json;
  const structured = CODES[codeName(code)].http === answer.status && Array.isArray(details);
  return structured && answer.status < 500
    ? undefined
    : [method, path.slice(0, 200), body?.slice(0, 200), answer.status, answer.bytes.toString().slice(0, 300)];
}

const pathFor = (endpoint: Endpoint): string => {
  const { collection } = endpoint;
  const above = collectionAbove(collection);
  const parent = (above === "groups" ? undefined : target.get(above)) ?? folder;
  const uid = target.get(collection) ?? parent;
  return pathOf(endpoint, { uid, parent, digest: DIGEST, artifactId: ARTIFACT });
};

/** For each place in a body (fields, list entries, map entries), a function that puts a value there. */
function placesIn(schema: Schema, put: (value: unknown) => unknown): ((value: unknown) => unknown)[] {
  const { type, element } = definitionOf(required(schema));
  const below = Object.entries(shapeOf(schema) ?? {}).flatMap(([key, field]) =>
    placesIn(field, (value) => put({ [key]: value })),
  );
  if (type === "array" && element) below.push(...placesIn(element, (value) => put([value])));
  if (type === "record") below.push((value) => put({ key: value }));
  return [put, ...below];
}

const isObject = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const merged = (under: unknown, over: unknown): unknown =>
  isObject(under) && isObject(over)
    ? {
        ...under,
        ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, merged(under[key], value)])),
      }
    : over;

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
const VALUES: readonly unknown[] = [
  JSON.parse('{"__proto__":{"a":1},"constructor":{"a":1}}'),
  "organization/re\0po",
  "9999-12-31T23:59:59-23:59",
];
const WHOLE = ["", "null", "{}{}", '"\\ud800"', "\ufeff{}", '{"name":1e999}', JSON.stringify([nested(90)])];

/** One value per place, in turn; all of them in `npm run test:long`. */
const inTurn = <T>(values: readonly T[], index: number): readonly T[] =>
  LONG ? values : [values[index % values.length] as T];

describe.each(endpoints.filter(({ body }) => body).map((one) => [one.id, one] as const))("%s", (_id, one) => {
  test("takes any body for what it is", async () => {
    const base = one.verb === "create" ? BODIES[one.collection]?.(world, owner, folder) : {};
    const headers = { "content-type": "application/json" };
    const found: unknown[] = [];
    // Updates are validated by the same schema as creates.
    const places = one.verb === "update" ? [] : placesIn(one.body as Schema, (value) => value);
    for (const [index, put] of [(value: unknown) => value, ...places].entries())
      for (const value of inTurn(VALUES, index))
        found.push(await complaint(one, pathFor(one), JSON.stringify(merged(base, put(value))), headers));
    for (const body of WHOLE) found.push(await complaint(one, pathFor(one), body, headers));
    for (const type of ["text/plain", "application/json; charset=utf-16", "multipart/form-data", ";;;"])
      found.push(await complaint(one, pathFor(one), "{}", { "content-type": type }));
    expect(found.filter(Boolean)).toEqual([]);
  });
});

const RAW = ["%", "%00", "-1", "0000-01-01T00%3A00%3A00Z"];

describe.each(endpoints.map((one) => [one.id, one] as const))("%s", (id, one) => {
  test("takes any query and any path for what it is", async () => {
    const found: unknown[] = [];
    const needed = Object.entries(QUERIES[id] ?? {});
    for (const [index, name] of (one.method === "GET" ? Object.keys(one.query) : []).entries())
      for (const raw of name === "uidp.ancestors_of" ? [...RAW, DEEP] : inTurn(RAW, index)) {
        const others = needed.map(([key, value]) => (key === name ? "" : `&${key}=${value}`)).join("");
        found.push(await complaint(one, `${pathFor(one)}?${name}=${raw}${others}`));
      }
    for (const raw of ["%00", "..", "//", DEEP, `${folder}%2F..`])
      if (one.path.includes("{"))
        found.push(
          await complaint(
            one,
            one.path.replace(/\{(?:uid|parent)\}/, () => raw),
          ),
        );
    expect(found.filter(Boolean)).toEqual([]);
  });
});

/** Their bodies need nothing, so this one is not refused. */
const NEEDS_NOTHING = ["identityProviders.generateScimToken", "identityProviders.revokeScimToken"];

test("what was refused has left nothing", async () => {
  const { database } = world.service;
  const [counts] = await database.query(
    `select (select coalesce(sum(plain + referrer + dated + epoch), 0) from tag_counts)::int as kept,
       (select count(*) from tags)::int as tags`,
  );
  expect(counts?.["kept"]).toBe(counts?.["tags"]);
  await world.unchanged(async () => {
    const refusing = endpoints.filter(({ id, body }) => body && !NEEDS_NOTHING.includes(id));
    for (const one of refusing.filter(({ method }) => method !== "GET"))
      await complaint(one, pathFor(one), '{"name":"\\u0000","content":"\\u0000"}');
  });
});
