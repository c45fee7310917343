import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { Badge } from "./badge";
import { Code } from "./code";
import { Dash } from "./dash";
import { DefinitionList } from "./definition-list";
import { Time } from "./time";

const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());

beforeAll(stubBrowser);
beforeEach(() => vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  writeText.mockClear();
});

const show = () =>
  renderInApp(
    <DefinitionList
      items={[
        { term: "Subject", value: <Code value="repo:acme/app" what="subject" /> },
        { term: "Folder", value: "Acme / data" },
        { term: "Ends", value: <Dash label="never" /> },
        { term: "Description", value: "" },
        { term: "Created", value: <Time value="2026-01-02T03:04:05Z" /> },
        {
          term: "Aliases",
          value: (
            <ul>
              <li>
                <Badge tone="quiet">one</Badge>
              </li>
              <li>
                two <span aria-hidden="true">*</span>
              </li>
            </ul>
          ),
        },
      ]}
    />,
  );

it("copies each value as the API writes it, without a second button beside a value's own", async () => {
  await show();
  await screen.findByText("Acme / data");
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Copy subject", "Copy folder", "Copy created", "Copy aliases"]);
  for (const name of names.slice(1)) fireEvent.click(screen.getByRole("button", { name: name ?? "" }));
  expect(writeText.mock.calls).toEqual([["Acme / data"], ["2026-01-02T03:04:05.000Z"], ["one\ntwo"]]);
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name: "Copy folder" }).getAttribute("data-tip")).toBe("Copied"),
  );
});

it("shows by its icon and its tooltip that the browser blocked copying", async () => {
  writeText.mockRejectedValueOnce(new DOMException("denied"));
  await show();
  const button = await screen.findByRole("button", { name: "Copy folder" });
  const icon = () => /lucide-([\w-]+)/.exec(button.innerHTML)?.[1];
  expect(icon()).toBe("copy");
  fireEvent.click(button);
  await vi.waitFor(() => expect(button.getAttribute("data-tip")).toBe("Your browser blocked copying"));
  expect(icon()).toBe("x");
});

it("is one Tab stop, with arrow keys between the buttons", async () => {
  await show();
  const button = (name: string) => screen.getByRole("button", { name });
  const stops = () =>
    screen
      .getAllByRole("button")
      .filter((each) => each.matches("[data-copy-fact]") && each.tabIndex === 0)
      .map((each) => each.getAttribute("aria-label"));
  await screen.findByText("Acme / data");
  expect(stops()).toEqual(["Copy folder"]);
  button("Copy folder").focus();
  fireEvent.keyDown(button("Copy folder"), { key: "ArrowDown" });
  expect(document.activeElement).toBe(button("Copy created"));
  expect(stops()).toEqual(["Copy created"]);
  fireEvent.keyDown(button("Copy created"), { key: "End" });
  expect(document.activeElement).toBe(button("Copy aliases"));
  fireEvent.keyDown(button("Copy aliases"), { key: "ArrowDown" });
  expect(document.activeElement).toBe(button("Copy aliases"));
});
