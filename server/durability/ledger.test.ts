import { expect, test } from "vitest";

import { Ledger, type Known } from "./ledger";

// The rounds are only as good as the ledger that they compare with the database.
const record = (name: string): Known => ({
  collection: "groups",
  parent: "p",
  name,
  description: `of ${name}`,
});
const [old, next] = [record("old"), record("next")];

function written(): Ledger {
  const ledger = new Ledger();
  ledger.begin(undefined, old);
  ledger.done("p/1");
  return ledger;
}

const settle = (ledger: Ledger, actual: Record<string, Known>) =>
  ledger.settle(new Map(Object.entries(actual)), () => true);

test("an acknowledged write that is not there, or not as it was, is lost", () => {
  expect(settle(written(), { "p/1": old }).lost).toEqual([]);
  expect(settle(written(), {}).lost).toHaveLength(1);
  expect(settle(written(), { "p/1": { ...old, description: "" } }).lost).toHaveLength(1);

  const changed = written();
  changed.begin("p/1", next);
  changed.done("p/1");
  expect(settle(changed, { "p/1": next }).lost).toEqual([]);
  expect(settle(changed, { "p/1": old }).lost).toHaveLength(1);
});

test("an acknowledged delete that came to nothing is lost", () => {
  const ledger = written();
  ledger.begin("p/1", "deleted");
  ledger.done("p/1");
  expect(settle(ledger, { "p/1": old }).lost).toHaveLength(1);
});

test("a write without an answer is there or not, and nothing in between", () => {
  const changing = () => {
    const ledger = written();
    ledger.begin("p/1", next);
    return ledger;
  };
  expect(settle(changing(), { "p/1": old })).toEqual({ lost: [], arrived: 0 });
  expect(settle(changing(), { "p/1": next })).toEqual({ lost: [], arrived: 1 });
  expect(settle(changing(), { "p/1": { ...next, description: old.description } }).lost).toHaveLength(1);
  expect(settle(changing(), {}).lost).toHaveLength(1);

  const creating = () => {
    const ledger = written();
    ledger.begin(undefined, next);
    return ledger;
  };
  expect(settle(creating(), { "p/1": old })).toEqual({ lost: [], arrived: 0 });
  expect(settle(creating(), { "p/1": old, "p/2": next })).toEqual({ lost: [], arrived: 1 });
  expect(settle(creating(), { "p/1": old, "p/2": next, "p/3": next }).lost).toHaveLength(1);
  expect(settle(creating(), { "p/1": old, "p/2": { ...next, description: "" } }).lost).toHaveLength(1);

  const deleting = written();
  deleting.begin("p/1", "deleted");
  expect(settle(deleting, {})).toEqual({ lost: [], arrived: 1 });
});
