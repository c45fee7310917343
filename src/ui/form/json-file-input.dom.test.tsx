import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { JsonFileInput } from "./json-file-input";

beforeEach(stubBrowser);

class Problem extends Error {}

test("says why a file was not opened, and forgets it with the next one", async () => {
  const opened: string[] = [];
  await renderInApp(
    <JsonFileInput
      label="Rules"
      Problem={Problem}
      onChoose={async (file) => {
        const text = await file.text();
        if (text === "1") throw new Problem("This file isn't valid.");
        if (text === "2") throw new Error("secret");
        opened.push(text);
      }}
    />,
  );
  const choose = (text: string) =>
    userEvent.upload(screen.getByLabelText("Rules"), new File([text], "a.json"));
  const alert = screen.getByRole("alert");
  await choose("1");
  await expect.poll(() => alert.textContent).toBe("Warning: Not openedThis file isn't valid.");
  await choose("2");
  await expect.poll(() => alert.textContent).toBe("Warning: Not openedThis file couldn't be read.");
  await choose("3");
  await expect.poll(() => alert.textContent).toBe("");
  expect(opened).toEqual(["3"]);
});
