import { describe, expect, it } from "vitest";

import { scaledScrollOf, LONGEST } from "./scaled-scroll";

const VIEW = 600;

describe("foldOf", () => {
  it("leaves a list alone that a browser can scroll", () => {
    const fold = scaledScrollOf(100_000 * 40, VIEW);
    expect(fold).toMatchObject({ height: 4_000_000, folded: false });
    expect(fold.toOffset(123_456)).toBe(123_456);
    expect(fold.toScrollTop(123_456)).toBe(123_456);
  });

  const content = 5_000_000 * 40;
  const fold = scaledScrollOf(content, VIEW);

  it("reaches both ends of one that none can", () => {
    expect(fold).toMatchObject({ height: LONGEST, folded: true });
    expect(fold.toOffset(0)).toBe(0);
    expect(fold.toOffset(LONGEST - VIEW)).toBe(content - VIEW);
    // Near them a pixel is a pixel.
    expect(fold.toOffset(1001) - fold.toOffset(1000)).toBe(1);
    expect(fold.toOffset(LONGEST - VIEW) - fold.toOffset(LONGEST - VIEW - 40)).toBe(40);
  });

  it("comes back to where it was from every place", () => {
    for (const offset of [
      0,
      399_999,
      400_000,
      400_001,
      content / 3,
      content / 2,
      content - 400_001,
      content - VIEW,
    ])
      expect(fold.toOffset(fold.toScrollTop(offset))).toBeCloseTo(offset, 1);
    let before = -1;
    for (let scrollTop = 0; scrollTop <= LONGEST - VIEW; scrollTop += 99_991) {
      expect(fold.toOffset(scrollTop)).toBeGreaterThan(before);
      before = fold.toOffset(scrollTop);
    }
  });
});
