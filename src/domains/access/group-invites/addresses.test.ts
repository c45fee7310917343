import { expect, it } from "vitest";

import { addressesIn } from "./addresses";

it("reads addresses as they are pasted from a mail, a list or a sheet, each once", () => {
  const all = ["ada@example.com", "bo@example.com", "cy@example.com"];
  for (const text of [
    "ada@example.com\nbo@example.com\r\ncy@example.com\n",
    "ada@example.com, bo@example.com; cy@example.com",
    "<ada@example.com>,<bo@example.com>\tcy@example.com ada@example.com",
    'Ada Marsh <ada@example.com>; "Nguyen, Bo" <bo@example.com>\ncy@example.com',
    "ada@example.com Bo <bo@example.com>, cy@example.com",
  ])
    expect(addressesIn(text)).toEqual(all);
  expect(addressesIn("ann.lee@example.com\nANN.LEE@example.com")).toEqual(["ann.lee@example.com"]);
  expect(addressesIn(" ,\n")).toEqual([]);
  expect(addressesIn("nobody")).toEqual(["nobody"]);
  // What is no address is refused by the form, not left out.
  expect(addressesIn("nobody, Ada <ada@example.com> or")).toEqual(["nobody", "ada@example.com", "or"]);
});
