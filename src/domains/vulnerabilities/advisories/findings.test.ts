import { expect, it } from "vitest";

import { decodeFindings } from "./findings";

const base64 = (text: string) => Buffer.from(text).toString("base64");

it("decodes base64 of JSON, whatever its letters", () => {
  expect(decodeFindings(base64('{"at":"Zürich 🐛"}'))).toEqual({ json: { at: "Zürich 🐛" } });
});

it.each([
  ["not base64!", "not base64!"],
  [Buffer.from([0xff, 0xfe]).toString("base64"), "//4="],
  [base64("plain text"), "plain text"],
])("shows %j as text", (given, text) => {
  expect(decodeFindings(given)).toMatchObject({ text, problem: expect.any(String) });
});
