import { readdirSync, readFileSync } from "node:fs";
import postcss from "postcss";
import { describe, expect, it } from "vitest";

import { WIDTHS } from "./layout/use-media";

/** The files that define values; everything else uses them. */
const SOURCES = new Set(["src/ui/theme.css", "src/ui/fonts.css"]);

const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch|light-dark)\(|\b(?:white|black|gray|grey|silver|red|orange|yellow|green|blue|purple)\b/i;
const LENGTH = /\d(?:px|rem|em|pt)\b/;

/** What a property must not state by itself. Percentages, and 0, are not sizes of the scale. */
const RULES: readonly (readonly [property: RegExp, literal: RegExp, what: string])[] = [
  [/./, COLOR, "a color"],
  [/radius/, LENGTH, "a radius"],
  [/^font(?:-size)?$/, LENGTH, "a font size"],
  [/shadow/, LENGTH, "a shadow"],
  [/^z-index$/, /\d/, "a z-index"],
  [/^(?:transition|animation)/, /\d(?:ms|s)\b/, "a duration"],
];

/** Values with what is allowed in them taken out: tokens, addresses, and one pixel less for what is inside a border. */
const bare = (value: string): string =>
  value
    .replaceAll(/var\(--[\w-]+\)/g, "")
    .replaceAll(/url\([^)]*\)/g, "")
    .replaceAll(/calc\( - 1px\)/g, "");

/** Every literal of `css` that belongs into theme.css, as "line property: value". */
function literals(css: string): string[] {
  const found: string[] = [];
  postcss.parse(css).walkDecls(({ prop, value, source }) => {
    for (const [property, literal, what] of RULES)
      if (property.test(prop) && literal.test(bare(value)))
        found.push(`line ${source?.start?.line}: ${what}, ${prop}: ${value}`);
  });
  return found;
}

/** What `text` asks of the window's width but for the widths of the screens. A container's width is its own matter. */
function otherWidths(text: string): string[] {
  const known = Object.values(WIDTHS).join("|");
  return (text.match(/(?:@media|matchMedia|useMedia)[^{;]*\bwidth\b[^{;]*/g) ?? []).filter((query) =>
    query
      .replaceAll(new RegExp(`\\((?:width (?:<|>=)|(?:${known})em <= width <) (?:${known})em\\)`, "g"), "")
      .includes("width"),
  );
}

describe("widths of the window", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => /\.(?:css|tsx?)$/.test(file) && !file.includes(".test."))
    .concat("server/platform/oidc/stylesheet.ts");

  it("are those of WIDTHS, in one syntax", () => {
    const others = files.flatMap((file) => {
      const found = otherWidths(readFileSync(file, "utf8"));
      return file.endsWith("use-media.ts") ? [] : found.map((query) => `${file} ${query}`);
    });
    expect(others).toEqual([]);
  });

  it.each([
    "@media (max-width: 47.99em) {",
    "@media (width < 47em) {",
    "@media (width < 48rem) {",
    'useMedia("(min-width: 62em)");',
  ])("%s is another", (query) => {
    expect(otherWidths(query)).toHaveLength(1);
  });

  it.each([
    "@media (pointer: coarse), (width < 48em) {",
    "@media (48em <= width < 90em) {",
    "@media print {",
  ])("%s is not", (query) => expect(otherWidths(query)).toEqual([]));
});

describe("literals outside of theme.css", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith(".css") && !SOURCES.has(file));

  it("there are none", () => {
    expect(files.length).toBeGreaterThan(80);
    const all = files.flatMap((file) => literals(readFileSync(file, "utf8")).map((one) => `${file} ${one}`));
    expect(all).toEqual([]);
  });

  it("components state no color either", () => {
    const components = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".tsx") && !file.includes(".test."),
    );
    const colored = components.filter((file) =>
      /(?:fill|stroke|color|background)(?:=|:\s*)["'{]+\s*(?:#[\da-f]{3,8}\b|rgb|hsl)/i.test(
        readFileSync(`src/${file}`, "utf8"),
      ),
    );
    expect(colored).toEqual([]);
  });

  it.each([
    ["a { color: #fff }", "a color"],
    ["a { border: 1px solid rgb(0 0 0 / 10%) }", "a color"],
    ["a { --ink: light-dark(#000000, #ffffff) }", "a color"],
    ["a { background: white }", "a color"],
    ["a { border-radius: 6px }", "a radius"],
    ["a { font-size: 0.8rem }", "a font size"],
    ["a { font: 500 13px/20px sans-serif }", "a font size"],
    ["a { box-shadow: 0 1px 2px var(--pc-border) }", "a shadow"],
    ["a { z-index: 3 }", "a z-index"],
    ["a { transition: opacity 120ms }", "a duration"],
  ])("%s is %s", (css, what) => {
    expect(literals(css).join()).toContain(what);
  });

  it.each([
    "a { color: var(--pc-text); border: 1px solid var(--pc-border) }",
    "a { border-radius: 50%; border-radius: 0; border-radius: inherit }",
    "a { border-radius: calc(var(--mantine-radius-md) - 1px) }",
    "a { background: color-mix(in srgb, currentColor 40%, transparent) }",
    "a { mask: url(./marks/check.svg); transition: none; font: inherit; box-shadow: none; z-index: auto }",
  ])("%s is allowed", (css) => {
    expect(literals(css)).toEqual([]);
  });
});
