import { beforeEach, expect, test } from "vitest";

import { setPreferenceOwner } from "~/ui/preferences";

import {
  deleteView,
  isShown,
  NAME_MAX,
  nameProblem,
  readViews,
  renameView,
  saveView,
  searchOf,
  VIEWS_MAX,
} from "./saved-views";

const unused = { name: "Unused", search: { group: "a_b", seen: "never" } };
const names = (list = "Identities") => readViews(list).map(({ name }) => name);

beforeEach(() => {
  localStorage.clear();
  setPreferenceOwner("ada");
});

test("a view excludes the scroll position and the open drawer", () => {
  const address = {
    group: "a",
    seen: "never",
    order: "name desc",
    at: "40",
    drawer: "edit",
    item: "b",
    odd: 7,
  };
  expect(searchOf(address)).toEqual({ group: "a", seen: "never", order: "name desc" });
});

test("views are kept for each list and person, by name", () => {
  saveView("Identities", unused);
  saveView("Identities", { name: "AWS", search: { kind: "aws" }, columns: '{"uid":true}' });
  expect(readViews("Identities")).toEqual([
    { name: "AWS", search: { kind: "aws" }, columns: '{"uid":true}' },
    unused,
  ]);
  expect(readViews("Repos")).toEqual([]);
  renameView("Identities", "AWS", "Clouds");
  deleteView("Identities", "Unused");
  expect(names()).toEqual(["Clouds"]);
  setPreferenceOwner("bob");
  expect(names()).toEqual([]);
  setPreferenceOwner("ada");
  expect(names()).toEqual(["Clouds"]);
});

test("keeps views saved by another tab", () => {
  saveView("Identities", unused);
  const [key = ""] = Object.keys(localStorage);
  localStorage.setItem(key, JSON.stringify([unused, { name: "Theirs", search: {} }]));
  saveView("Identities", { name: "Mine", search: {} });
  expect(names()).toEqual(["Mine", "Theirs", "Unused"]);
});

test("ignores invalid stored values", () => {
  saveView("Identities", unused);
  const [key = ""] = Object.keys(localStorage);
  for (const text of ["{", "7", "null", '{"name":"x"}']) {
    localStorage.setItem(key, text);
    expect(readViews("Identities"), text).toEqual([]);
  }
  localStorage.setItem(key, JSON.stringify([null, 7, { name: "x" }, { name: "", search: {} }, unused]));
  expect(readViews("Identities")).toEqual([unused]);
});

test("a name is needed, short and not taken", () => {
  const views = [unused];
  expect(nameProblem(views, " ")).toBe("Enter a name");
  expect(nameProblem(views, "x".repeat(NAME_MAX + 1))).toMatch(/at most/);
  expect(nameProblem(views, " Unused ")).toMatch(/already/);
  expect(nameProblem(views, "Unused", "Unused")).toBeUndefined();
  expect(nameProblem(views, "Other")).toBeUndefined();
  const full = Array.from({ length: VIEWS_MAX }, (_, index) => ({ name: `${index}`, search: {} }));
  expect(nameProblem(full, "Other")).toMatch(/Delete one first/);
  expect(nameProblem(full, "Other", "7")).toBeUndefined();
});

test("a view is current only if the address matches exactly", () => {
  expect(isShown(unused, { seen: "never", group: "a_b" })).toBe(true);
  expect(isShown(unused, { seen: "never", group: "a_b", kind: "aws" })).toBe(false);
  expect(isShown(unused, { seen: "never" })).toBe(false);
});
