import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { stylesheetOf } from "../server/platform/oidc/stylesheet";

const squeeze = (css: string): string => css.replaceAll(/\s+/g, " ");
const pages = squeeze(stylesheetOf({ text: "text", textExtended: "extended", code: "code" }));
const theme = squeeze(readFileSync("src/ui/theme.css", "utf8"));
const fonts = squeeze(readFileSync("src/ui/fonts.css", "utf8"));

it("the sign-in pages have a value of the console's theme for every token that they use", () => {
  const used = new Set([...pages.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
  expect(used.size).toBeGreaterThan(15);
  for (const name of used) {
    const value = new RegExp(` --${name}: ([^;]+);`).exec(pages)?.[1] ?? "none";
    if (name !== "panel" && name !== "glow") expect(theme, name).toContain(`: ${value};`);
  }
});

const facesOf = (css: string) => css.match(/@font-face \{[^}]+\}/g) ?? [];
const fallbacks = (css: string) => facesOf(css).filter((face) => face.includes("local("));
const ranges = (css: string) =>
  facesOf(css).map((face) => /unicode-range: ([^;]+);/.exec(face)?.[1]?.replaceAll(" ", ""));

it("the sign-in pages and the console have the same fallbacks and ranges, those of the packages", () => {
  expect(fallbacks(pages)).toEqual(fallbacks(fonts));
  expect(fallbacks(fonts)).toHaveLength(4);
  const rangesOf = (name: string) =>
    JSON.parse(readFileSync(`node_modules/@fontsource-variable/${name}/unicode.json`, "utf8")) as Record<
      string,
      string
    >;
  const [text, code] = [rangesOf("geist"), rangesOf("geist-mono")];
  expect(ranges(fonts).slice(0, 3)).toEqual([text["latin-ext"], text["latin"], code["latin"]]);
  expect(ranges(pages)).toEqual(ranges(fonts));
});
