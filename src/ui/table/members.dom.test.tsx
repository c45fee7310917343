import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { stubBrowser } from "../testing/render";
import { all, box, keysOf, list, make, members } from "./testing-selection";

beforeAll(stubBrowser);
afterEach(cleanup);

describe("selecting rows that stand for several records", () => {
  it("selects all members of a row, and shows a mixed state for some", async () => {
    const live = await list({ pairs: true });
    fireEvent.click(box("Select row 2"));
    expect(keysOf(live.chosen)).toBe("u2a u2b");
    expect(screen.getByText("2 selected")).toBeDefined();
    live.show({ pairs: false, rows: make(3).flatMap((row) => members(row).map(([, half]) => half)) });
    fireEvent.click(box("Select row 2 a"));
    fireEvent.click(box("Select row 1 a"));
    live.show({ pairs: true, rows: make(3) });
    for (const row of [1, 2]) {
      expect(box(`Select row ${row}`).checked).toBe(false);
      expect(box(`Select row ${row}`).indeterminate).toBe(true);
      expect(box(`Select row ${row}`).closest("[role=row]")?.getAttribute("aria-selected")).toBe("false");
    }
    fireEvent.click(box("Select row 2"));
    expect(keysOf(live.chosen)).toBe("u2b u1a u2a");
    fireEvent.click(box("Select row 2"));
    expect(keysOf(live.chosen)).toBe("u1a");
  });

  it("selects ranges and all rows with their members, and counts the members", async () => {
    const live = await list({ pairs: true, rows: make(4) });
    fireEvent.click(box("Select row 1"));
    fireEvent.click(box("Select row 2"), { shiftKey: true });
    expect(keysOf(live.chosen)).toBe("u1a u1b u2a u2b");
    fireEvent.click(screen.getByRole("button", { name: "Select all 8 that match" }));
    expect(live.chosen.size).toBe(8);
    expect(all().checked).toBe(true);
    fireEvent.click(all());
    expect(live.chosen.size).toBe(0);
    fireEvent.click(all());
    live.show({ rows: make(4).slice(1) });
    await waitFor(() => expect(live.chosen.size).toBe(6));
  });
});
