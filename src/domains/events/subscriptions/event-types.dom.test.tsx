import { expect, it } from "vitest";
import { render, screen, within } from "@testing-library/react";

import { EventTypes } from "./event-types";

it("says in plain words what happened before the name that receivers know", () => {
  render(<EventTypes group={"a".repeat(40)} />);
  const rows = screen.getAllByRole("row").filter((row) => within(row).queryAllByRole("cell").length > 0);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const first = row.firstElementChild?.textContent ?? "";
    expect(first).toMatch(/^[A-Z][^.]*[a-z]/);
    expect(row.textContent).not.toMatch(/^dev\./);
  }
});
