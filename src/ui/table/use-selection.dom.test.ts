import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { useSelection } from "./use-selection";

afterEach(() => {
  cleanup();
  history.replaceState(null, "");
});

/** Goes to an entry of the history, as the router marks it. */
const goTo = (entry: string) => history.replaceState({ __TSR_key: entry }, "");

/** A list at the present entry; `left` when another screen takes its place. */
function list(view = "all", name = "things") {
  const { result, rerender, unmount } = renderHook((shown: string) => useSelection<string>(shown, name), {
    initialProps: view,
  });
  return {
    keys: () => [...result.current.chosen.keys()],
    choose: (...keys: string[]) => act(() => result.current.choose(new Map(keys.map((key) => [key, key])))),
    show: (next = view) => rerender(next),
    left: unmount,
  };
}

it("is found again at the entry where it was left", () => {
  goTo("found 1");
  const first = list();
  first.choose("a", "b");
  first.left();
  goTo("found 2");
  const second = list();
  expect(second.keys()).toEqual([]);
  second.left();
  goTo("found 1");
  expect(list().keys()).toEqual(["a", "b"]);
});

it.each([
  ["all", "others"],
  ["filtered", "things"],
])("is not found by the view %s of the list %s", (view, name) => {
  goTo(`of another ${name}`);
  const first = list();
  first.choose("a");
  first.left();
  expect(list(view, name).keys()).toEqual([]);
});

it("is kept by another entry of the same view, such as a drawer", () => {
  goTo("drawer 1");
  const shown = list();
  shown.choose("a");
  goTo("drawer 2");
  shown.show();
  expect(shown.keys()).toEqual(["a"]);
});

it("is not brought back after another choice in that view: what was selected can be deleted", () => {
  goTo("stale 1");
  const first = list();
  first.choose("a", "b");
  first.left();
  goTo("stale 2");
  const second = list();
  second.choose("c");
  second.left();
  goTo("stale 1");
  expect(list().keys()).toEqual([]);
});
