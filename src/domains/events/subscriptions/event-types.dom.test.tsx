import { beforeAll, expect, it } from "vitest";
import { screen, within } from "@testing-library/react";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { EventTypes } from "./event-types";

beforeAll(stubBrowser);

it("says in plain words what happened before the name that receivers know", async () => {
  await renderInApp(<EventTypes group={"a".repeat(40)} />);
  const rows = screen.getAllByRole("row").filter((row) => within(row).queryAllByRole("cell").length > 0);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const first = row.firstElementChild?.textContent ?? "";
    expect(first).toMatch(/^[A-Z][^.]*[a-z]/);
    expect(row.textContent).not.toMatch(/^dev\./);
  }
  // A service that tells nothing of ends sends nothing of them.
  expect(screen.queryByRole("region", { name: "What ends soon" })).toBeNull();
});
