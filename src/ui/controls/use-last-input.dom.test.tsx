import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { renderInApp, stubBrowser } from "../testing/render";
import { FilterToggle } from "./filter-toggle";
import { FilterSelect } from "./filters";

beforeAll(stubBrowser);
afterEach(cleanup);

/** Values that follow an input only when told to, as an address does. */
let follow: () => void;
let setElsewhere: (value: string | undefined) => void;
const applied: (string | undefined)[] = [];

function Late() {
  const [value, setValue] = useState<string>();
  const [queue, setQueue] = useState<readonly (string | undefined)[]>([]);
  follow = () => {
    setValue(queue[0]);
    setQueue(queue.slice(1));
  };
  setElsewhere = setValue;
  const apply = (next: string | undefined) => {
    applied.push(next);
    setQueue((before) => [...before, next]);
  };
  return (
    <>
      <FilterToggle
        label="Deprecated"
        checked={value === "yes"}
        onChange={(on) => apply(on ? "yes" : undefined)}
      />
      <FilterSelect
        label="State"
        value={value}
        options={["", "yes", "no"].map((each) => ({ value: each, label: each }))}
        onChange={apply}
      />
    </>
  );
}

const toggle = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Deprecated" });
const select = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "State" });

async function start() {
  applied.length = 0;
  await renderInApp(<Late />);
}

it("shows a press before its value has followed, and a second press undoes it", async () => {
  await start();
  fireEvent.click(toggle());
  expect(toggle().checked).toBe(true);
  fireEvent.click(toggle());
  expect(toggle().checked).toBe(false);
  expect(applied).toEqual(["yes", undefined]);
  // The value passes through the first input on its way to the second.
  act(() => follow());
  expect(toggle().checked).toBe(false);
  act(() => follow());
  expect(toggle().checked).toBe(false);
});

it("keeps the last of two choices while the first is applied", async () => {
  await start();
  fireEvent.change(select(), { target: { value: "yes" } });
  fireEvent.change(select(), { target: { value: "no" } });
  act(() => follow());
  expect(select().value).toBe("no");
  act(() => follow());
  expect(select().value).toBe("no");
});

it("shows what was set elsewhere", async () => {
  await start();
  fireEvent.change(select(), { target: { value: "yes" } });
  act(() => follow());
  act(() => setElsewhere(undefined));
  expect([select().value, toggle().checked]).toEqual(["", false]);
});
