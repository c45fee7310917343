import { expect, it } from "vitest";

import { windowStart } from "./scroll-window";

const far = { base: 0, most: 1000, count: 10_000 };

it.each([
  ["covers a list that fits, wherever it is", 90, { ...far, count: 100 }, 0],
  ["stays while rows around the place are covered", 900, far, 0],
  ["moves with a jump behind it", 5000, far, 4500],
  ["moves with a jump before it", 100, { ...far, base: 4500 }, 0],
  ["stays in the middle", 5100, { ...far, base: 4500 }, 4500],
  ["moves on at its end", 5485, { ...far, base: 4500 }, 4985],
  ["moves back at its beginning", 4500, { ...far, base: 4500 }, 4000],
  ["ends with the list", 9999, far, 9000],
  ["stays at the end", 9980, { ...far, base: 9000 }, 9000],
])("%s", (_what, to, window, start) => expect(windowStart(to, window, 20)).toBe(start));
