import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { snakeCase } from "platform-contract/aip";
import { resources } from "platform-contract";
import { pathOfKind } from "platform-contract/kind";
import { kindOf } from "platform-contract/kinds";
import { codeName, preconditionViolations } from "platform-contract/status";

import { answered, asWritten, changeable, Ground, hidden, invalid, OUTPUT, settableOf } from "./ground";
import { collectionAbove, fieldsOf, type Person, type Wire, type World } from "./world";

let ground: Ground;
let world: World;
let owner: Person;
let folder: string;

beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner, folder } = ground);
});
afterAll(() => world.service.stop());

const updatable = resources.filter((resource) => "update" in resource).map(({ collection }) => collection);

test("every resource that can be changed is put to these laws", () => {
  expect([...ground.samples.keys()].filter((name) => updatable.includes(name))).toEqual(updatable);
});

const snaked = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), snaked(item)]))
    : value;

describe.each(updatable)("a record of %s", (name) => {
  const sample = () => changeable(name, ground.samples.get(name)!);
  const create = async (body: Wire) =>
    world.make(owner, `${name}.create`, {
      parent: await world.room(owner, name, ground.places[collectionAbove(name)] ?? folder),
      body: { ...ground.samples.get(name)!.made, ...body },
    });
  const get = async (uid: string) => asWritten(await world.make(owner, `${name}.get`, { uid }));
  const patch = (uid: string, body: unknown, query = {}) =>
    world.send(owner.token, `${name}.update`, { uid, body, query });
  const settable = (record: Wire) => settableOf(answered(name, sample()), record);

  test("changes in the masked fields alone, whatever the body and the spelling", async () => {
    const { made, other, optional } = sample();
    const { uid } = await create(made);
    const change = async (body: unknown, query: Wire, expected: Wire) => {
      const answer = await patch(uid, body, query);
      const record: Wire = answer.json;
      expect([answer.status, settable(record)]).toEqual([200, hidden(name, expected)]);
      expect(await get(uid)).toEqual(record);
      expect(record["updateTime"] > record["createTime"]).toBe(true);
    };
    const reset = () => change(made, { updateMask: "*" }, made);
    for (const field of Object.keys(made)) {
      const expected = { ...made, [field]: other[field] };
      // Without a mask: updates the fields in the body. With one: updates those it names and does not even validate the
      // rest.
      await change({ [field]: other[field] }, {}, expected);
      await reset();
      const noise = {
        ...Object.fromEntries(Object.keys(made).map((key) => [key, 7])),
        [field]: other[field],
      };
      await change({ ...noise, ...OUTPUT, unknown: 1 }, { updateMask: field }, expected);
      await reset();
      await change(
        snaked({ [field]: other[field] }),
        { update_mask: `${snakeCase(field)}, uid,create_time` },
        expected,
      );
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
    await world.make(owner, `${name}.delete`, { uid });
  });

  test("is as old as its last change: what changes nothing leaves its updateTime", async () => {
    const { made, other } = sample();
    const { uid } = await create(made);
    const changed = (await patch(uid, other, { updateMask: "*" })).json as Wire;
    // Input-only fields, such as a duration, have a different effect each time.
    const same = hidden(name, other);
    await world.unchanged(async () => {
      for (const query of [{}, { updateMask: "*" }, { updateMask: Object.keys(same).join(",") }])
        expect((await patch(uid, { ...OUTPUT, ...same }, query)).json).toEqual(changed);
      for (const [body, updateMask] of [
        [{}, ""],
        [other, "uid"],
      ] as const)
        expect((await patch(uid, body, { updateMask })).json).toEqual(changed);
    });
    await world.make(owner, `${name}.delete`, { uid });
  });

  test("does not change by a mask or body that names what is not there, or lacks what is needed", async () => {
    const { made, other, optional } = sample();
    const { uid } = await create(made);
    await world.unchanged(async () => {
      for (const updateMask of ["nothing", "name,*", "*,name", "uid.x", ",", `${Object.keys(made)[0]}.x`])
        expect([updateMask, ...fieldsOf(await patch(uid, other, { updateMask }))]).toContain("updateMask");
      invalid(await patch(uid, { ...other, nothing: 1 }), ["nothing"]);
      for (const field of Object.keys(made).filter((key) => !optional.includes(key))) {
        const { [field]: _left, ...rest } = other;
        // A replacement cannot repeat what responses hide.
        if (field in hidden(name, other)) invalid(await patch(uid, rest, { updateMask: "*" }), [field]);
        invalid(await patch(uid, {}, { updateMask: field }), [field]);
      }
      for (const body of ["[]", "null", "1", "{"]) {
        const headers = { "content-type": "application/json" };
        const answer = await world.service.call("PATCH", `${pathOfKind(kindOf(name)!)}/${uid}`, {
          ...owner,
          headers,
          body,
        });
        expect(codeName(answer.json.code)).toBe("INVALID_ARGUMENT");
      }
    });
  });
});

test("a readme changes by the masks that name it, and by no other", async () => {
  const repo = await world.make(owner, "repos.create", { parent: folder, body: { name: "with-readme" } });
  const { uid, createTime } = repo;
  const send = (body: unknown, query = {}) =>
    world.send(owner.token, "repos.updateReadme", { uid, body, query });
  const readme = () => world.make(owner, "repos.getReadme", { uid });
  expect(await readme()).toEqual({ uid, createTime, updateTime: createTime });
  const masks = [undefined, "", "*", "content", "content, uid"];
  let before = createTime;
  for (const [index, updateMask] of masks.entries()) {
    const content = `# Version ${index}`;
    const { json } = await send({ content, uid: "x" }, updateMask === undefined ? {} : { updateMask });
    expect(json).toEqual({ uid, content, createTime, updateTime: expect.any(String) });
    expect((json["updateTime"] as string) > before).toBe(true);
    expect(await readme()).toEqual(json);
    before = json["updateTime"] as string;
  }
  await world.unchanged(async () => {
    for (const updateMask of ["name", "content.x", "*,content", ","])
      expect([updateMask, ...fieldsOf(await send({ content: "no" }, { updateMask }))]).toContain(
        "updateMask",
      );
    invalid(await send({ content: "no", nothing: 1 }), ["nothing"]);
    invalid(await send({ content: 7 }), ["content"]);
    expect((await send({ content: "no" }, { updateMask: "uid" })).status).toBe(200);
    expect((await send({ content: "# Version 4" })).json).toEqual(await readme());
  });
  expect((await send({}, { updateMask: "*" })).json).toEqual(await readme());
  expect(await readme()).not.toHaveProperty("content");
  // A readme is a record of its own: the repo has not changed.
  expect(await world.make(owner, "repos.get", { uid })).toEqual(repo);
});

test("setting one way to be recognised clears the other", async () => {
  const { uid } = await world.make(owner, "identities.create", {
    parent: folder,
    body: { name: "switch", ...world.claims("switch") },
  });
  const awsIdentity = { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/a", userId: "AROA" };
  const patch = async (body: Wire, query = {}) => {
    const record = await world.make(owner, "identities.update", { uid, body, query });
    return Object.fromEntries(
      ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"].map((key) => [key, record[key]]),
    );
  };
  const only = (key: string, value: unknown) => ({
    claimMatch: undefined,
    staticKeys: undefined,
    awsIdentity: undefined,
    servicePrincipal: undefined,
    [key]: value,
  });
  expect(await patch({ awsIdentity })).toEqual(only("awsIdentity", awsIdentity));
  const { arn: _arn, ...rest } = awsIdentity;
  const byPattern = { ...rest, arnPattern: "arn:aws:iam::123456789012:role/.*" };
  expect(await patch({ awsIdentity: { arnPattern: byPattern.arnPattern } })).toEqual(
    only("awsIdentity", byPattern),
  );
  const principal = "SERVICE_PRINCIPAL_INGESTER";
  expect(await patch({ servicePrincipal: principal }, { updateMask: "servicePrincipal" })).toEqual(
    only("servicePrincipal", principal),
  );
  const { claimMatch } = world.claims("switch");
  expect(await patch({ claimMatch }, { updateMask: "claimMatch.issuer,claimMatch.subject" })).toEqual(
    only("claimMatch", claimMatch),
  );
  const both = { claimMatch, awsIdentity };
  const refused = await world.unchanged(() =>
    world.send(owner.token, "identities.update", { uid, body: both }),
  );
  invalid(refused, ["awsIdentity"]);
});

test("a delete that something blocks says what, and changes nothing", async () => {
  const group = await ground.create("groups", ground.organization, { name: "full" });
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
  const role = await ground.create("roles", group, { name: "held", capabilities: ["groups.list"] });
  const bot = await ground.create("identities", group, { name: "held", ...world.claims("held") });
  const repo = await ground.create("repos", group, { name: "held" });
  for (const [id, uid, kind] of [
    ["groups.delete", await ground.create("groups", group, { name: "held" }), "groups"],
    ["identities.delete", bot, "identities"],
    ["roles.delete", role, "roles"],
    [
      "roleBindings.delete",
      await ground.create("roleBindings", group, { identityUid: bot, roleUid: role }),
      "role bindings",
    ],
    ["repos.delete", repo, "repos"],
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
