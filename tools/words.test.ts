import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../src");

/** The API's prefixes contain a vendor's name; this is not that vendor's product. */
it("no screen names a vendor", () => {
  const screens = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".tsx"),
  );
  expect(screens.length).toBeGreaterThan(100);
  const naming = screens.filter((file) => /chainguard/i.test(readFileSync(join(source, file), "utf8")));
  expect(naming).toEqual([]);
});
