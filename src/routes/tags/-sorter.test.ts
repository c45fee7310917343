import { expect, it } from "vitest";

import { sorter } from "./-sorter";

interface Row {
  readonly id: number;
  readonly key: number;
}
const row = (id: number): Row => ({ id, key: (id * 7919) % 101 });
const rows = Array.from({ length: 500 }, (_, id) => row(id));
const inOrder = (some: readonly Row[]) => some.toSorted((a, b) => a.key - b.key || a.id - b.id);

it("orders what comes page by page as it would order all at once", () => {
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

it("sees a row that changed in its place, one that went, and one that came in between", () => {
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
