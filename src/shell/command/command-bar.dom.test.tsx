import { act, cleanup, screen } from "@testing-library/react";
import { useLayoutEffect, type ReactNode } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { CommandBar } from "./command-bar";
import { handleKeys, openCommand, typedAhead } from "./opened";

vi.mock("./use-visits", () => ({ useVisits: () => undefined }));
vi.mock("./command", () => ({
  Command: ({ opened }: { opened: string }) => <p>open: {opened}</p>,
  ShortcutKeys: () => {
    useLayoutEffect(() => handleKeys((event) => pressed.push(event.key)), []);
    return null;
  },
}));

let pressed: string[] = [];

beforeAll(stubBrowser);
afterEach(() => {
  cleanup();
  pressed = [];
  openCommand();
});

function dispatch(init: KeyboardEventInit): void {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
}

/** Acts when its children are in the document, before they are painted. */
function Early({ children, act: run }: { children: ReactNode; act: () => void }): ReactNode {
  useLayoutEffect(run, [run]);
  return children;
}

test("opens by its shortcut as soon as its button can be seen", async () => {
  const press = vi.fn(() => dispatch({ key: "k", ctrlKey: true }));
  await renderInApp(
    <Early act={press}>
      <CommandBar />
    </Early>,
  );
  expect(press).toHaveBeenCalledTimes(1);
  expect(await screen.findByText("open: palette")).toBeTruthy();
});

test("keeps what is typed for the palette before it is there, and takes none of it for a shortcut", async () => {
  const press = () => {
    dispatch({ key: "k", ctrlKey: true });
    for (const key of ["g", "r", "o", "x", "Backspace", "Shift"]) dispatch({ key });
  };
  await renderInApp(
    <Early act={press}>
      <CommandBar />
    </Early>,
  );
  expect(typedAhead()).toBe("gro");
  act(() => dispatch({ key: "Escape" }));
  expect(screen.queryByText("open: palette")).toBeNull();
  expect([typedAhead(), pressed]).toEqual(["", []]);
});

test("passes on the keys that were pressed before their handler was loaded, in order", async () => {
  const press = () => {
    for (const key of ["g", "r"]) dispatch({ key });
  };
  await renderInApp(
    <Early act={press}>
      <CommandBar />
    </Early>,
  );
  await vi.waitFor(() => expect(pressed).toEqual(["g", "r"]));
});

test("opens what was asked for before it was mounted, and closes it", async () => {
  openCommand("shortcuts");
  await renderInApp(<CommandBar />);
  expect(await screen.findByText("open: shortcuts")).toBeTruthy();
  act(() => openCommand());
  expect(screen.queryByText(/^open:/)).toBeNull();
});
