import { beforeEach, expect, it } from "vitest";

import { LEFT_KEY } from "~/api/mutations/hidden";

import { firstRows } from "./first-rows";

const row = (uid: string, name: string) =>
  `<div role="row" data-row-key="${uid}"><a href="/identities/${uid}">${name}</a></div>`;
const LIST = `
  <header></header><div><nav aria-label="Main"></nav></div><h1>Identities</h1>
  <div role="table"><div role="row">Name</div>${row("u1", "ann")}${row("u2", "bob")}${row("u3", "cy")}</div>`;
const items = (...all: (readonly [uid: string, name: string])[]) =>
  JSON.stringify({ items: all.map(([uid, name]) => ({ uid, name })), nextPageToken: "" });

let root: HTMLElement;
let note: unknown;
const shown = () => [...root.querySelectorAll("[data-row-key] a")].map(({ textContent }) => textContent);

/** The page after the list was noted, and loaded again. */
beforeEach(() => {
  document.head.innerHTML = '<base href="/" />';
  document.body.innerHTML = LIST;
  note = JSON.parse(JSON.stringify(firstRows(document.body).note()));
  document.body.innerHTML = '<div id="root"></div>';
  root = document.querySelector("#root") as HTMLElement;
});

it("draws the rows that are where they were, with their links, under the title", () => {
  firstRows(root).draw(note, items(["u1", "ann"], ["u2", "bert"], ["u4", "dan"], ["u3", "cy"]));
  expect(root.querySelector("h1")?.textContent).toBe("Identities");
  expect(shown()).toEqual(["ann", "bert"]);
  expect(root.querySelector<HTMLAnchorElement>('[data-row-key="u2"] a')?.pathname).toBe("/identities/u2");
});

it("draws nothing if the first row is another one, has another name, or there is none", () => {
  for (const body of [items(["u2", "bob"]), items(["u1", "anna"]), items(), "{}", "null"])
    firstRows(root).draw(note, body);
  expect(root.childElementCount).toBe(0);
});

it("draws no row that is being deleted, nor those below", () => {
  sessionStorage.setItem(LEFT_KEY, JSON.stringify({ uids: ["u2"] }));
  firstRows(root).draw(note, items(["u1", "ann"], ["u2", "bob"], ["u3", "cy"]));
  sessionStorage.clear();
  expect(shown()).toEqual(["ann"]);
});

it("draws nothing in a window of another width, or over what is there already", () => {
  const body = items(["u1", "ann"]);
  firstRows(root).draw({ ...(note as object), window: innerWidth + 1 }, body);
  expect(root.childElementCount).toBe(0);
  root.innerHTML = "<p>here first</p>";
  firstRows(root).draw(note, body);
  expect(root.textContent).toBe("here first");
});

it("makes no link to another origin or a script, whatever the storage says", () => {
  for (const href of ["https://evil.example/", "//evil.example/", "javascript:alert(1)"]) {
    root.replaceChildren();
    firstRows(root).draw({ ...(note as object), rows: [["u1", href]] }, items(["u1", "ann"]));
    expect(shown()).toEqual(["ann"]);
    expect(root.querySelector("a")?.hasAttribute("href")).toBe(false);
  }
});

it("notes nothing of a page without a list, or of a list that is scrolled", () => {
  document.body.innerHTML = "<header></header><h1>Overview</h1>";
  expect(firstRows(document.body).note()).toBeUndefined();
  document.body.innerHTML = LIST;
  const table = document.querySelector("[role=table]") as HTMLElement;
  table.scrollTop = 80;
  expect(firstRows(document.body).note()).toBeUndefined();
});
