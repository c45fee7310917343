import { expect, it } from "vitest";

import { sorter } from "./sorter";

interface Row {
  readonly id: number;
  readonly key: number;
}
const row = (id: number): Row => ({ id, key: (id * 7919) % 101 });
const rows = Array.from({ length: 500 }, (_, id) => row(id));
const inOrder = (some: readonly Row[]) => some.toSorted((a, b) => a.key - b.key || a.id - b.id);

it("sorts incrementally loaded pages like one list", () => {
  const sort = sorter<Row>(({ key }) => key, false);
  for (const end of [0, 1, 200, 200, 350, 500])
    expect(sort(rows.slice(0, end))).toEqual(inOrder(rows.slice(0, end)));
  const newest = sorter<Row>(({ key }) => key, true);
  newest(rows.slice(0, 100));
  expect(newest(rows).map(({ key }) => key)).toEqual(
    inOrder(rows)
      .map(({ key }) => key)
      .toReversed(),
  );
});

it("handles changed, removed and inserted rows", () => {
  const sort = sorter<Row>(({ key }) => key, false);
  sort(rows);
  const changed = rows.with(10, { id: 10, key: 1000 });
  expect(sort(changed).at(-1)?.id).toBe(10);
  const fewer = changed.toSpliced(20, 3);
  expect(sort(fewer)).toHaveLength(497);
  const more = fewer.toSpliced(5, 0, { id: 999, key: -1 });
  expect(sort(more)[0]?.id).toBe(999);
  expect(sort(more)).toBe(sort(more));
});

it("equals a full sort after any changes", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (const descending of [false, true]) {
    const sort = sorter<Row>(({ key }) => key, descending);
    let made = 0;
    let now: Row[] = [];
    for (let step = 0; step < 300; step += 1) {
      const at = random(now.length + 1);
      const some = Array.from({ length: random(5) }, () => ({ id: (made += 1), key: random(9) }));
      const what = random(4);
      if (what === 0) now = [...now, ...some];
      else if (what === 1) now = now.toSpliced(at, 0, ...some);
      else if (what === 2) now = now.filter(() => random(6) > 0);
      else now = [...now.map((each, index) => (index === at ? { ...each, key: random(9) } : each)), ...some];
      // Stable: rows with equal keys keep their order.
      expect(sort(now)).toEqual(now.toSorted((a, b) => (descending ? b.key - a.key : a.key - b.key)));
    }
  }
});

it("keeps the sort keys of remaining rows", () => {
  let asked = 0;
  const sort = sorter<Row>(({ key }) => {
    asked += 1;
    return key;
  }, false);
  sort(rows);
  sort(rows.filter(({ id }) => id % 7 !== 0));
  expect(asked).toBe(rows.length);
});
