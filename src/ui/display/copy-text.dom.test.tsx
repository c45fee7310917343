import { notifications } from "@mantine/notifications";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { ToastRegion } from "../feedback/toast";
import { renderInApp, stubBrowser } from "../testing/render";
import { copyText } from "./copy-text";

const writeText = vi.fn<(text: string) => Promise<void>>();

beforeAll(stubBrowser);
beforeEach(() => {
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
  // Toasts outlive the file that showed them, and only three are shown at a time.
  notifications.clean();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ["copied", () => Promise.resolve(), "Copied the uid"],
  [
    "blocked",
    () => Promise.reject(new DOMException("denied")),
    "Couldn't copy the uid: your browser blocked it",
  ],
])("tells everybody that a text was %s", async (_, answer, said) => {
  writeText.mockImplementation(answer);
  await renderInApp(<ToastRegion />);
  await copyText("abc", "uid");
  expect(await screen.findByText(said)).toBeTruthy();
  expect(writeText).toHaveBeenCalledWith("abc");
});
