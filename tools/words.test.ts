import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../src");

const files = readdirSync(source, { recursive: true, encoding: "utf8" });

/** The API's prefixes contain a vendor's name; this is not that vendor's product. */
it("no screen names a vendor", () => {
  const screens = files.filter((file) => file.endsWith(".tsx"));
  expect(screens.length).toBeGreaterThan(100);
  const naming = screens.filter((file) => /chainguard/i.test(readFileSync(join(source, file), "utf8")));
  expect(naming).toEqual([]);
});

const UNWANTED =
  /\b(?:(?<!const |!)anew|anybody|any more|besides|could not be|everybody|from then on|letter by letter|oops|rid of|somebody|successfully|whoever|Nobody|Please|Whatever)\b/;

/** Comments may use them. */
it("no screen uses words that American products do not", () => {
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing/.test(file));
  expect(sources.length).toBeGreaterThan(100);
  const withoutComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const using = sources.filter((file) =>
    UNWANTED.test(withoutComments(readFileSync(join(source, file), "utf8"))),
  );
  expect(using).toEqual([]);
});
