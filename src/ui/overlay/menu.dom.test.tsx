import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { ActionMenu } from "./menu";

beforeAll(stubBrowser);
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

it("has the focus as soon as it opens, so that keys pressed quickly choose what they name", async () => {
  await renderInApp(
    <ActionMenu label="Actions for team" actions={() => [{ label: "Create folder" }, { label: "Delete" }]} />,
  );
  const button = screen.getByRole("button", { name: "Actions for team" });
  const open = () => {
    fireEvent.click(button);
    return document.activeElement?.textContent;
  };
  // The first time, its code has to come.
  fireEvent.click(button);
  await screen.findByRole("menu");
  fireEvent.click(button);

  vi.useFakeTimers();
  expect(open()).toBe("Create folder");
  const last = screen.getByRole("menuitem", { name: "Delete" });
  fireEvent.keyDown(document.activeElement as Element, { key: "End" });
  expect(document.activeElement).toBe(last);
  // No timer moves the focus back.
  vi.runAllTimers();
  expect(document.activeElement).toBe(last);
});
