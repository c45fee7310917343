import { expect, test } from "vitest";

import { jsonValues } from "./json-values";

async function* chunked(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += 16) yield Buffer.from(text.slice(at, at + 16));
}

async function valuesOf(text: string, largest: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of jsonValues(chunked(text), largest)) values.push(value);
  return values;
}

const small = { id: 1 };
const large = { id: 2, text: "x".repeat(200) };
const FORMS = {
  "one document": JSON.stringify(large, null, 2),
  "one line": JSON.stringify(large),
  "a line of NDJSON": `${JSON.stringify(small)}\n${JSON.stringify(large)}\n`,
  "an entry of an array": JSON.stringify([small, large]),
};

test.each(Object.entries(FORMS))("%s that is too large to be held is refused", async (_form, text) => {
  expect(await valuesOf(text, 1_000)).toContainEqual(large);
  await expect(valuesOf(text, 150)).rejects.toThrow("has a record larger than 0 MB");
});

test("a file of any size is read, as long as no record is too large", async () => {
  const many = Array.from({ length: 500 }, () => small);
  expect(await valuesOf(many.map((one) => JSON.stringify(one)).join("\n"), 100)).toEqual(many);
  expect(await valuesOf(JSON.stringify(many), 100)).toEqual(many);
});
