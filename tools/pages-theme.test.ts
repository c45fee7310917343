import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { stylesheetOf } from "../server/platform/oidc/stylesheet";

const squeeze = (css: string): string => css.replaceAll(/\s+/g, " ");
const pages = squeeze(stylesheetOf({ text: "text", textExtended: "extended", code: "code" }));
const theme = squeeze(readFileSync("src/ui/theme.css", "utf8"));
const fonts = squeeze(readFileSync("src/ui/fonts.css", "utf8"));

/** Tokens of the provider's pages by their names in the console's theme. */
const TOKENS = {
  page: "canvas",
  surface: "page",
  field: "field",
  hover: "hover",
  border: "border",
  "border-strong": "border-strong",
  "input-border": "border-input",
  text: "text",
  secondary: "text-secondary",
  accent: "accent",
  "accent-fill": "accent-fill",
  "accent-hover": "accent-fill-hover",
  "accent-soft": "accent-soft",
  "accent-border": "accent-border",
  danger: "danger",
  "danger-surface": "danger-soft",
  "danger-border": "danger-border",
};

const valueOf = (css: string, name: string) => new RegExp(` --${name}: ([^;]+);`).exec(css)?.[1];

it.each(Object.entries(TOKENS))("--%s of the sign-in pages has the value of --pc-%s", (own, token) => {
  expect(valueOf(pages, own)).toBe(valueOf(theme, `pc-${token}`));
  expect(valueOf(pages, own)).toMatch(/^light-dark/);
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
