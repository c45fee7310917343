// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import * as z from "zod/mini";

import { dirtyPaths } from "./dirty-paths";
import { keepDrafts } from "./drafts";
import { useKitForm } from "./use-kit-form";

const schema = z.object({ name: z.string(), key: z.string() });
const open = () =>
  renderHook(() =>
    useKitForm({ schema, defaultValues: { name: "", key: "" }, draft: "thing", secret: ["key"] }),
  ).result;

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

it("brings what was typed back once, as changes, and never a secret", () => {
  const first = open();
  act(() => {
    first.current.setValue("name", "ci");
    first.current.setValue("key", "hush");
  });
  keepDrafts();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("hush");
  cleanup();

  const second = open();
  expect(second.current.getValues()).toEqual({ name: "ci", key: "" });
  expect(dirtyPaths(second.current)).toEqual(["name"]);
  cleanup();

  expect(open().current.getValues()).toEqual({ name: "", key: "" });
});

it("keeps nothing of a form that nobody changed", () => {
  open();
  keepDrafts();
  expect(sessionStorage).toHaveLength(0);
});
