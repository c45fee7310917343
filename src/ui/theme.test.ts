import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/ui/theme.css", "utf8");

/** Tokens with a light and a dark value. */
const tokens = new Map(
  [...css.matchAll(/(--pc-[\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

/** WCAG 2 relative luminance of #rrggbb. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const value = (name: string, scheme: "light" | "dark") =>
  name.startsWith("#") ? name : (tokens.get(`--pc-${name}`)?.[scheme] ?? `no token ${name}`);

const grounds = ["page", "raised", "sunken", "hover", "canvas"];
const texts = ["text", "text-secondary", "accent", "danger", "warning", "success"];
const readable = [
  ...grounds.flatMap((ground) => texts.map((text) => [text, ground] as const)),
  ...["accent", "danger", "warning", "success"].flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    ["text", `${tone}-soft`] as const,
    ["text-secondary", `${tone}-soft`] as const,
  ]),
  ...["critical", "high", "medium", "low"].map((step) => [step, `${step}-soft`] as const),
  ...["critical", "high", "medium", "low"].flatMap((step) =>
    grounds.map((ground) => [step, ground] as const),
  ),
  ["#ffffff", "critical-fill"] as const,
  ["text-secondary", "pressed"] as const,
  ...["accent", "danger"].flatMap((tone) => [
    ["#ffffff", `${tone}-fill`] as const,
    ["#ffffff", `${tone}-fill-hover`] as const,
  ]),
];

describe.each(["light", "dark"] as const)("the theme in %s", (scheme) => {
  it.each(readable)("%s on %s can be read (WCAG 1.4.3)", (text, ground) => {
    expect(contrast(value(text, scheme), value(ground, scheme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(grounds.slice(0, 2))("the border of an input on %s can be seen (WCAG 1.4.11)", (ground) => {
    expect(contrast(value("border-input", scheme), value(ground, scheme))).toBeGreaterThanOrEqual(3);
  });
});

const defined = (text: string) => new Set([...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = ""]) => name));
/** Variables read without a fallback. */
const read = (text: string) =>
  [...text.matchAll(/var\(\s*(--(?:mantine|pc)-[\w-]+)\s*\)/g)].map(([, name = ""]) => name);

describe("theme.css", () => {
  it("defines every variable that the stylesheets in use read", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => `src/${file}`);
    const styles = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/"(@mantine\/[\w/]+\.css)"/g)])
      .map(([, name = ""]) => `node_modules/${name}`);
    const own = files.filter((file) => file.endsWith(".css"));
    expect(styles.length).toBeGreaterThan(5);
    const missing = [...new Set([...styles, ...own])].flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const here = defined(text);
      return read(text).filter((name) => !defined(css).has(name) && !here.has(name));
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});
