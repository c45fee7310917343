import { notifications } from "@mantine/notifications";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { showToast, Toasts } from "./toasts";

beforeAll(stubBrowser);
// Messages outlive the file that showed them.
beforeEach(() => notifications.clean());
afterEach(() => {
  cleanup();
  notifications.clean();
});

it("undoes the newest by a key from anywhere, once, and not while text is edited", async () => {
  const undo = { first: vi.fn(), second: vi.fn() };
  await renderInApp(
    <>
      <Toasts />
      <input aria-label="Name" />
      <button type="button">Elsewhere</button>
    </>,
  );
  showToast("Removed one", { label: "Undo", onSelect: undo.first }, "success");
  showToast("Removed two", { label: "Undo", onSelect: undo.second }, "success");
  const [button] = await screen.findAllByRole("button", { name: "Undo" });
  expect(button?.getAttribute("aria-keyshortcuts")).toBe("Control+Z");
  expect(screen.getAllByText(/Press Control\+Z to undo\./)).toHaveLength(2);
  const press = (on: HTMLElement) => fireEvent.keyDown(on, { key: "z", ctrlKey: true });
  press(screen.getByLabelText("Name"));
  expect(undo.second).not.toHaveBeenCalled();
  const elsewhere = screen.getByRole("button", { name: "Elsewhere" });
  elsewhere.focus();
  press(elsewhere);
  expect([undo.first, undo.second].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  expect(document.activeElement).toBe(elsewhere);
  await waitFor(() => expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1));
  press(elsewhere);
  press(elsewhere);
  expect([undo.first, undo.second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it("has no key for anything else that a message offers", async () => {
  const act = vi.fn();
  await renderInApp(<Toasts />);
  showToast("Saved", { label: "Show", onSelect: act }, "success");
  const button = await screen.findByRole("button", { name: "Show" });
  fireEvent.keyDown(document.body, { key: "z", ctrlKey: true });
  expect(act).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-keyshortcuts")).toBeNull();
});
