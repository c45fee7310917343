import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { JAVA, PYTHON } from "platform-contract/libraries/artifacts";
import { codeName, RESOURCE_INFO } from "platform-contract/status";

import { versionOf } from "../../conformance/read-only";
import { fieldsOf, World, type Person, type Wire } from "../../conformance/world";
import { writeVersions } from "./artifact-writes.table";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const at = (number: number) => ({ createdAt: day(number), updatedAt: day(number) });

let world: World;
let owner: Person;
let outsider: Person;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  outsider = await world.person("outsider");
  await world.create(owner, "groups", "", { name: "acme" });
  const numbered = ["1.9", "1.10", "1.10rc1", "1.10.post1", "2.0.dev1"].map((version, index) =>
    versionOf("python:requests", { version, ...at(index + 1), sizeBytes: String(50 - index) }),
  );
  await writeVersions(world.service.database, [
    ...numbered,
    versionOf("python:torch", { version: "2.1", cudaVersions: ["11.8", "12.1"], ...at(2) }),
    versionOf("python:torch", {
      version: "2.2",
      remediated: true,
      description: "Tensors on a GPU",
      ...at(9),
    }),
    versionOf("python:jax", { remediated: true, cudaVersions: ["12.1"], ...at(3) }),
    versionOf("python:Odd_Name.100%", { description: "Speaks HTTP", ...at(4) }),
    versionOf("java:org.slf4j:slf4j-api", { version: "2.0.9", ...at(5) }),
    versionOf("java:org.slf4j:slf4j-api", { version: "2.0.10", remediated: true, ...at(6) }),
    versionOf("java:io.netty:netty_all", { version: "4.1.100.Final", ...at(7) }),
  ]);
});
afterAll(() => world.service.stop());

const BOTH = `ecosystems=${PYTHON}&ecosystems=${JAVA}`;
const get = (search: string, by = owner) => world.service.call("GET", `/libraries/v2/artifacts${search}`, by);
const uids = (json: Wire): string[] => json["artifacts"].map(({ uid }: Wire) => uid);
const found = async (search: string): Promise<string[]> => uids((await get(`?${search}`)).json);
const versions = (artifact: string, search = "", by = owner) =>
  get(`/${encodeURIComponent(artifact)}/versions?${search}`, by);
const versionsIn = async (search: string): Promise<string[]> =>
  ((await versions("python:requests", search)).json as Wire)["artifactVersions"].map(
    ({ version }: Wire) => version,
  );

test("an artifact says what its versions come to", async () => {
  const { json } = await get(`?ecosystems=${PYTHON}&query=tensors`);
  expect(json).toEqual({
    artifacts: [
      {
        uid: "python:torch",
        name: "torch",
        description: "Tensors on a GPU",
        ecosystem: PYTHON,
        latestVersion: "2.2",
        versionCount: 2,
        createTime: day(2).toISOString(),
        updateTime: day(9).toISOString(),
      },
    ],
    totalCount: "1",
    skipped: 0,
  });
});

describe("the list", () => {
  const java = ["java:io.netty:netty_all", "java:org.slf4j:slf4j-api"];
  const odd = "python:odd-name-100%";
  const python = ["python:jax", odd, "python:requests", "python:torch"];
  test.each([
    [`ecosystems=${JAVA}`, java],
    [`ecosystems=${PYTHON}`, python],
    [BOTH, [java[0]!, "python:jax", odd, java[1]!, "python:requests", "python:torch"]],
    [`${BOTH}&ecosystems=ECOSYSTEM_UNSPECIFIED&query=SLF4J`, [java[1]!]],
    [`${BOTH}&query=http`, [odd]],
    [`${BOTH}&query=0%25`, [odd]],
    [`${BOTH}&query=_`, [java[0]!, odd]],
    [`${BOTH}&query=%20nothing`, []],
    [`${BOTH}&remediated=true`, ["python:jax", java[1]!, "python:torch"]],
    [`${BOTH}&remediated=false&query=jax`, ["python:jax"]],
    [`${BOTH}&cudaVersion=12.1`, ["python:jax", "python:torch"]],
    [`${BOTH}&cuda_version=11.8`, ["python:torch"]],
    // A single version must match both.
    [`${BOTH}&cudaVersion=12.1&remediated=true`, ["python:jax"]],
    [`${BOTH}&cudaVersion=12`, []],
    [`${BOTH}&order_by=name%20desc&page_size=2`, ["python:torch", "python:requests"]],
    [`${BOTH}&order_by=updated_at%20desc&page_size=2`, ["python:torch", java[0]!]],
    [`${BOTH}&order_by=createTime&page_size=2`, ["python:requests", "python:torch"]],
    [
      `${BOTH}&order_by=version_count%20desc`,
      ["python:requests", java[1]!, "python:torch", java[0]!, "python:jax", odd],
    ],
  ])("%s", async (search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  test.each([
    "",
    "name desc",
    "uid",
    "uid desc",
    "created_at",
    "updated_at desc",
    "version_count desc",
    "version_count",
  ])("pages ordered by %j hold every artifact once, and skip jumps", async (order) => {
    const search = `${BOTH}&order_by=${encodeURIComponent(order)}`;
    const whole = await found(search);
    expect(whole).toHaveLength(6);
    const paged: string[] = [];
    let token = "";
    do {
      const { json } = await get(`?${search}&page_size=2&page_token=${encodeURIComponent(token)}`);
      expect(json["totalCount"]).toBe("6");
      paged.push(...uids(json));
      token = (json as Wire)["nextPageToken"] ?? "";
    } while (token && paged.length < 20);
    expect(paged).toEqual(whole);
    const jump = await get(`?${search}&skip=4`);
    expect([uids(jump.json), jump.json["skipped"]]).toEqual([whole.slice(4), 4]);
  });

  test("a page token of other filters begins again, one of somebody else is refused", async () => {
    const { json } = await get(`?${BOTH}&page_size=2`);
    const token = encodeURIComponent((json as Wire)["nextPageToken"]);
    expect(await found(`${BOTH}&remediated=true&page_token=${token}`)).toHaveLength(3);
    expect(fieldsOf(await get(`?${BOTH}&page_token=${token}`, outsider))).toEqual(["page_token"]);
  });

  test.each([
    ["", ["ecosystems"]],
    ["ecosystems=ECOSYSTEM_UNSPECIFIED", ["ecosystems"]],
    [
      "ecosystems=ECOSYSTEM_RUST&remediated=perhaps&order_by=description",
      ["ecosystems", "order_by", "remediated"],
    ],
    [`${BOTH}&page_size=-1&skip=-1`, ["page_size", "skip"]],
    [`${BOTH}&query=a&query=b`, ["query"]],
  ])("%s is refused", async (search, fields) => {
    const answer = await get(`?${search}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).toSorted()).toEqual(fields);
  });
});

describe("the versions", () => {
  const newestFirst = ["2.0.dev1", "1.10.post1", "1.10", "1.10rc1", "1.9"];
  test.each([
    ["", newestFirst],
    ["order_by=version", newestFirst.toReversed()],
    ["order_by=size_bytes", ["2.0.dev1", "1.10.post1", "1.10rc1", "1.10", "1.9"]],
    ["order_by=created_at%20desc", ["2.0.dev1", "1.10.post1", "1.10rc1", "1.10", "1.9"]],
    ["order_by=uid&page_size=1", ["1.10"]],
    ["skip=3", newestFirst.slice(3)],
  ])("%s", async (search, expected) => {
    expect(await versionsIn(search)).toEqual(expected);
  });

  test("go on by page token, which counts for one artifact alone", async () => {
    const first = (await versions("python:requests", "page_size=3")).json;
    const token = encodeURIComponent((first as Wire)["nextPageToken"]);
    expect(first["totalCount"]).toBe("5");
    expect(await versionsIn(`page_token=${token}`)).toEqual(newestFirst.slice(3));
    const other = (await versions("python:torch", `page_token=${token}`)).json;
    expect(other).toMatchObject({
      totalCount: "2",
      artifactVersions: [{ version: "2.2" }, { version: "2.1" }],
    });
  });

  test("say what they are, by Maven's order where they are Maven's", async () => {
    const { json } = await versions("java:org.slf4j:slf4j-api");
    expect(json["artifactVersions"]).toEqual(
      [
        ["2.0.10", 6],
        ["2.0.9", 5],
      ].map(([version, number]) => ({
        uid: `java:org.slf4j:slf4j-api@${version}`,
        name: "org.slf4j:slf4j-api",
        version,
        sizeBytes: "1000",
        createTime: day(Number(number)).toISOString(),
        updateTime: day(Number(number)).toISOString(),
      })),
    );
  });

  test.each(["python:nothing", "npm:left-pad", "java:org.slf4j"])("%s is not found", async (artifact) => {
    const answer = await versions(artifact);
    expect([answer.status, codeName(answer.json.code)]).toEqual([404, "NOT_FOUND"]);
    expect(answer.json.details?.[1]).toEqual({
      "@type": RESOURCE_INFO,
      resourceType: "libraries.platform.example/Artifact",
      resourceName: artifact,
    });
  });

  test.each(["requests", "python:a b", `python:${"a".repeat(501)}`])(
    "%s is no artifact",
    async (artifact) => {
      expect(fieldsOf(await versions(artifact))).toEqual(["artifactId"]);
    },
  );
});

test("counts what is named, each once, in that order", async () => {
  const { json } = await get(`/count?${BOTH}&ecosystems=${PYTHON}`);
  expect(json).toEqual({
    counts: [
      { ecosystem: PYTHON, totalCount: "4" },
      { ecosystem: JAVA, totalCount: "2" },
    ],
  });
  expect(fieldsOf(await get("/count"))).toEqual(["ecosystems"]);
});

test("who holds the capability nowhere sees nothing, not even that there is something", async () => {
  expect((await get(`?${BOTH}`, outsider)).json).toEqual({ artifacts: [], totalCount: "0", skipped: 0 });
  expect((await get(`/count?ecosystems=${JAVA}`, outsider)).json).toEqual({
    counts: [{ ecosystem: JAVA, totalCount: "0" }],
  });
  const there = await versions("python:requests", "", outsider);
  const gone = await versions("python:nothing", "", outsider);
  expect([there.status, gone.status]).toEqual([404, 404]);
  expect(JSON.stringify(there.json).replaceAll("requests", "nothing")).toBe(JSON.stringify(gone.json));
});
