import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { Code } from "./code";
import { exactText } from "./exact-copy";
import { Uid } from "./uid";

afterEach(cleanup);

const UID = "0123456789abcdef0123456789abcdef01234567";
const SPOOFED = "prod\u{202e}live";

/** Selects from one text to another, and returns what a copy would hold. */
function copied(from: string, to = from, [start, end]: readonly [number, number?] = [0]) {
  const [first, last] = [screen.getByText(from).firstChild, screen.getByText(to).firstChild] as [Text, Text];
  getSelection()?.setBaseAndExtent(first, start, last, end ?? last.length);
  return exactText(getSelection() as Selection);
}

it("copies a shortened value as it is", () => {
  render(<Uid value={UID} />);
  expect(copied("01234567…01234567")).toBe(UID);
});

it("copies invisible characters, not their spelling", () => {
  render(<Code value={SPOOFED} what="subject" />);
  expect(copied("prod\\u{202e}live")).toBe(SPOOFED);
});

it("keeps the text around the values", () => {
  render(
    <p>
      <span>Moves</span> <Uid value={UID} plain /> <span>here</span>
    </p>,
  );
  expect(copied("Moves", "here")).toBe(`Moves ${UID} here`);
});

it("leaves a selected part, and text without such a value, to the browser", () => {
  render(
    <>
      <Uid value={UID} />
      <p>plain</p>
    </>,
  );
  expect(copied("01234567…01234567", undefined, [2, 6])).toBeUndefined();
  expect(copied("plain")).toBeUndefined();
});
