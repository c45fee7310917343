import { by } from "platform-contract/order";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { resources as all } from "platform-contract";
import { pathOfKind } from "platform-contract/kind";
import { kindOf } from "platform-contract/kinds";
import { codeName } from "platform-contract/status";

import { answered, asWritten, Ground, hidden, invalid, onceHidden, OLD, OUTPUT, settableOf } from "./ground";
import { collectionAbove, fieldsOf, needsRoom, type Person, type Wire, type World } from "./world";

/** The resources that the API can create. */
const resources = all.filter((resource) => "create" in resource);

let ground: Ground;
let world: World;
let owner: Person;

beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner } = ground);
});
afterAll(() => world.service.stop());

test("every resource is put to these laws", () => {
  expect([...ground.samples.keys()]).toEqual(resources.map(({ collection }) => collection));
});

describe.each(resources.map(({ collection }) => collection))("a record of %s", (name) => {
  const sample = () => ground.samples.get(name)!;
  const parent = () => ground.places[collectionAbove(name)] ?? ground.folder;
  const send = (body: unknown) => world.send(owner.token, `${name}.create`, { parent: parent(), body });
  const create = async (body: Wire) =>
    world.make(owner, `${name}.create`, { parent: await world.room(owner, name, parent()), body });
  const get = (uid: string) => world.send(owner.token, `${name}.get`, { uid });
  const remove = (uid: string) => world.send(owner.token, `${name}.delete`, { uid });
  const children = () => world.make(owner, `${name}.list`, { query: { [scope]: parent() } });
  const scope = needsRoom(name) ? "uidp.descendants_of" : "uidp.children_of";
  const byUid = (rows: readonly Wire[]) => rows.toSorted(by((row) => String(row["uid"])));
  const shown = () => answered(name, sample());
  const settable = (record: Wire) => settableOf(shown(), record);

  test("is created without what only the service sets, and read as it was answered", async () => {
    invalid(await send({ ...sample().made, ...OUTPUT, create_time: OLD }), ["createTime"]);
    const record = await create({ ...sample().made, ...OUTPUT, unknown: 1 });
    expect(record["uid"]).toMatch(new RegExp(`^${parent()}(?:/[0-9a-f]{16})${needsRoom(name) ? "+" : ""}$`));
    expect(record["createTime"]).toBe(record["updateTime"]);
    expect(record["createTime"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(record["createTime"] > OLD).toBe(true);
    expect(record).not.toHaveProperty("unknown");
    expect(settable(record)).toEqual(shown().made);
    expect(asWritten((await get(record["uid"])).json)).toEqual(onceHidden(name, record));
    const least = Object.entries(sample().made).filter(([key]) => !sample().optional.includes(key));
    await world.make(owner, `${name}.delete`, { uid: record["uid"] });
    const bare = await create(Object.fromEntries(least));
    expect(bare).toMatchObject(hidden(name, Object.fromEntries(least)));
    // Missing or false.
    expect(sample().optional.filter((field) => Boolean(bare[field]))).toEqual([]);
    await world.make(owner, `${name}.delete`, { uid: bare["uid"] });
  });

  test("is not created without what it needs: every such field is named at once, and nothing is there", async () => {
    const { made, optional } = sample();
    const needed = Object.keys(made).filter((key) => !optional.includes(key));
    await world.unchanged(async () => {
      const nothing = await send({});
      expect(codeName(nothing.json.code)).toBe("INVALID_ARGUMENT");
      for (const field of needed) {
        const { [field]: _left, ...rest } = made;
        invalid(await send(rest), [field]);
        const wrong = fieldsOf(await send({ ...made, [field]: [[7]] }));
        expect([field, wrong.filter((one) => !one.startsWith(field))]).toEqual([field, []]);
        expect(wrong).not.toEqual([]);
        expect(fieldsOf(nothing)).toContain(field);
      }
      for (const body of ["[]", "null", "{"]) {
        const headers = { "content-type": "application/json" };
        const path = `${pathOfKind(kindOf(name)!)}/${parent()}`;
        const answer = await world.service.call("POST", path, { ...owner, headers, body });
        expect(codeName(answer.json.code)).toBe("INVALID_ARGUMENT");
      }
    });
  });

  test("is deleted once and alone: it is neither read nor listed nor counted again, those beside it are", async () => {
    const before = await children();
    const [stays, goes] = [await create(sample().made), await create(sample().other)] as const;
    const both = await children();
    const listed = onceHidden(name, stays);
    expect(both[name]).toEqual(byUid([...before[name], listed, onceHidden(name, goes)]));
    expect(Number(both["totalCount"])).toBe(Number(before["totalCount"]) + 2);
    const gone = await remove(goes["uid"]);
    expect([gone.status, gone.bytes.length]).toEqual([200, 0]);
    expect(await children()).toEqual({
      ...both,
      [name]: byUid([...before[name], listed]),
      totalCount: String(Number(before["totalCount"]) + 1),
    });
    for (const again of [await remove(goes["uid"]), await get(goes["uid"])])
      expect([again.status, codeName(again.json.code)]).toEqual([404, "NOT_FOUND"]);
    await world.make(owner, `${name}.delete`, { uid: stays["uid"] });
    expect(await children()).toEqual(before);
    // A deleted record frees its place: the same can be created again.
    const anew = await create(sample().made);
    expect(anew["uid"]).not.toBe(stays["uid"]);
    await world.make(owner, `${name}.delete`, { uid: anew["uid"] });
  });
});
