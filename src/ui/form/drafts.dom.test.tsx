import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import * as z from "zod/mini";

import { dirtyPaths } from "./dirty-paths";
import { draftsKept, dropDrafts, keepDrafts, noteDrafts, takeDrafts } from "./drafts";
import { useResourceForm } from "./use-resource-form";

const schema = z.object({ name: z.string(), key: z.string(), jwks: z.string() });
const open = (name = "") =>
  renderHook(() =>
    useResourceForm({
      schema,
      defaultValues: { name, key: "", jwks: "" },
      draft: "thing",
      secret: ["key"],
      unkept: ["jwks"],
    }),
  ).result;

/** Types into the form. */
function type(values: { name?: string; key?: string; jwks?: string }) {
  const form = open();
  act(() => {
    for (const [path, value] of Object.entries(values)) form.current.setValue(path as "name", value);
  });
  return form;
}
/** Only what drafts store: modules are shared by the test files of a worker, and others store on `pagehide` too. */
const stored = () => sessionStorage.getItem("pc.drafts");
const name = () => open().current.getValues("name");

afterEach(() => {
  cleanup();
  takeDrafts("nobody");
});

it("restores a draft once, as changes, without secrets", () => {
  type({ name: "ci", key: "hush" });
  keepDrafts("ada");
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("hush");
  cleanup();

  takeDrafts("ada");
  const second = open();
  expect(second.current.getValues()).toEqual({ name: "ci", key: "", jwks: "" });
  expect(dirtyPaths(second.current)).toEqual(["name"]);
  cleanup();

  expect(open().current.getValues()).toEqual({ name: "", key: "", jwks: "" });
});

it("marks restored fields that another user changed meanwhile", () => {
  const errorOf = (form: ReturnType<typeof open>) => form.current.getFieldState("name").error?.message;
  for (const [meanwhile, message] of [
    ["", undefined],
    ["by grace", expect.stringContaining("Someone else changed this.")],
  ] as const) {
    type({ name: "ci" });
    keepDrafts("ada");
    cleanup();
    takeDrafts("ada");
    const form = open(meanwhile);
    expect(form.current.getValues("name")).toBe("ci");
    expect(errorOf(form)).toEqual(message);
    cleanup();
  }
});

it("keeps no draft of an unchanged form", () => {
  open();
  keepDrafts("ada");
  expect(stored()).toBeNull();
});

it("keeps drafts per user", () => {
  type({ name: "ci" });
  keepDrafts("ada");
  cleanup();
  takeDrafts("grace");
  expect(name()).toBe("");
  cleanup();
  takeDrafts("ada");
  expect(name()).toBe("");
});

it("leaves the storage empty for a duplicate of the tab, and forgets after some hours", () => {
  type({ name: "ci" });
  keepDrafts("ada", { now: 0 });
  expect(stored()).not.toBeNull();
  cleanup();
  takeDrafts("ada", 5 * 3600_000);
  expect(stored()).toBeNull();
  expect(name()).toBe("");
});

it("is discarded if the page stays: the guard asks again, and nothing is restored later", () => {
  type({ name: "ci" });
  const undo = keepDrafts("ada");
  expect(draftsKept()).toBe(true);
  undo();
  expect(draftsKept()).toBe(false);
  cleanup();
  takeDrafts("ada");
  expect(name()).toBe("");
});

it("keeps the draft of a form that unmounted before the reload", () => {
  type({ name: "ci" });
  noteDrafts();
  cleanup();
  keepDrafts("ada", { withNoted: true });
  takeDrafts("ada");
  expect(name()).toBe("ci");
});

const leave = () => window.dispatchEvent(new Event("pagehide"));

it("keeps what was typed over a reload, without what could be a secret, and offers to discard it", () => {
  takeDrafts("ada");
  type({ name: "ci", key: "hush", jwks: "private" });
  leave();
  expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/hush|private/);
  cleanup();

  takeDrafts("ada");
  const form = open();
  expect(form.current.getValues("name")).toBe("ci");
  act(() => form.current.restored?.discard());
  expect(form.current.getValues("name")).toBe("");
  expect(form.current.restored).toBeUndefined();
});

it("drops drafts of other users, after signing out, and without input", () => {
  takeDrafts("ada");
  open();
  leave();
  expect(stored()).toBeNull();
  cleanup();
  type({ name: "ci" });
  leave();
  takeDrafts("grace");
  cleanup();
  expect(open().current.restored).toBeUndefined();
  cleanup();
  type({ name: "ci" });
  dropDrafts();
  leave();
  expect(stored()).toBeNull();
});
