import { readdirSync, readFileSync } from "node:fs";
import postcss, { type Rule } from "postcss";
import { describe, expect, it } from "vitest";

const css = readFileSync("src/ui/theme.css", "utf8");

/** Colors, each with a value for light and dark. */
const tokens = new Map(
  [...css.matchAll(/(--pc-[\w-]+):\s*(?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g)].map(
    ([, name = "", light, dark, both = ""]) => [name, { light: light ?? both, dark: dark ?? both }] as const,
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
  tokens.get(`--pc-${name}`)?.[scheme] ?? `no token ${name}`;

/** The color token that a rule sets by one of these properties, without prefix. */
function tokenOf(rule: Rule, ...properties: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const node of rule.nodes)
    if (node.type === "decl" && properties.includes(node.prop))
      found = /^var\(--pc-([\w-]+)\)/.exec(node.value)?.[1];
  return found !== undefined && tokens.has(`--pc-${found}`) ? found : undefined;
}

interface Use {
  readonly text: string | undefined;
  readonly ground: string | undefined;
  readonly at: string;
}

/** The colors that the parts use: those of text and ground that one rule sets together, and each of them alone. */
const uses: Use[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css") && !/^ui\/(?:theme|fonts)\.css$/.test(file))
  .flatMap((file) => {
    const found: Use[] = [];
    postcss.parse(readFileSync(`src/${file}`, "utf8")).walkRules((rule) => {
      const text = tokenOf(rule, "color", "--ink");
      const ground = tokenOf(rule, "background", "background-color", "--ground");
      const at = `src/${file}:${rule.source?.start?.line}`;
      if (text !== undefined || ground !== undefined) found.push({ text, ground, at });
    });
    return found;
  });

/** Where a text can stand that sets no ground of its own. */
const GROUNDS = ["page", "raised", "sunken", "hover", "canvas", "field"];
/** Grounds that are inherited by less: what they hold is the text of a row, a notice or a button. */
const OTHER_GROUNDS = ["pressed", "accent-soft", "danger-soft", "warning-soft", "success-soft", "past-soft"];
/** Grounds that hold only text in the color of their own rule. */
const FILLS = [
  "accent-fill",
  "accent-fill-hover",
  "danger-fill",
  "danger-fill-hover",
  "critical-fill",
  "tooltip",
];
/** Shapes without text: bars, dots, tracks. */
const MARKS = ["accent", "accent-fill", "border-input", "success-dot", "warning-dot", "danger-dot"];
/** The ground of a code for cameras, lines between cells, the knob of a switch: nothing that is read. */
const NEITHER = ["paper", "border", "on-fill"];
/** Never information (WCAG 1.4.3 exempts what is disabled). */
const EXEMPT = ["text-disabled"];
/** Only on a ground that its own rule sets. */
const ON_FILL = "on-fill";

const readable = new Map<string, readonly [text: string, ground: string, why: string]>();
const mustRead = (text: string, ground: string, why: string) =>
  readable.set(`${text} on ${ground}`, [text, ground, why]);

for (const { text, ground, at } of uses) {
  if (text !== undefined && ground !== undefined) mustRead(text, ground, at);
  if (text !== undefined && ground === undefined && !EXEMPT.includes(text) && text !== ON_FILL)
    for (const each of GROUNDS) mustRead(text, each, at);
  if (text === undefined && ground !== undefined && OTHER_GROUNDS.includes(ground))
    for (const each of ["text", "text-secondary"]) mustRead(each, ground, at);
}
// Mantine's own rules set these two, by the variables of theme.css.
for (const fill of FILLS.filter((name) => name !== "tooltip")) mustRead(ON_FILL, fill, "src/ui/theme.css");
// A word in the color of its severity, as charts and tables have it.
for (const step of ["critical", "high", "medium", "low"])
  for (const ground of GROUNDS) mustRead(step, ground, "src/domains/vulnerabilities/vulnerability-reports");

describe("the colors of the parts", () => {
  it("are found", () => {
    expect(uses.length).toBeGreaterThan(200);
    expect(readable.size).toBeGreaterThan(60);
  });

  it("have no ground of which nothing says what can stand on it", () => {
    const known = new Set([...GROUNDS, ...OTHER_GROUNDS, ...FILLS, ...MARKS, ...NEITHER]);
    const paired = new Set(uses.flatMap(({ text, ground }) => (text && ground ? [ground] : [])));
    const unknown = uses.filter(({ ground }) => ground && !known.has(ground) && !paired.has(ground));
    expect(unknown).toEqual([]);
  });
});

describe.each(["light", "dark"] as const)("the theme in %s", (scheme) => {
  it.each([...readable.values()])("%s on %s can be read (WCAG 1.4.3): %s", (text, ground) => {
    expect(contrast(value(text, scheme), value(ground, scheme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(
    ["page", "raised", "field"].flatMap((ground) => ["border-input", ...MARKS].map((mark) => [mark, ground])),
  )("%s on %s can be seen (WCAG 1.4.11)", (mark = "", ground = "") => {
    expect(contrast(value(mark, scheme), value(ground, scheme))).toBeGreaterThanOrEqual(3);
  });

  it.each([...GROUNDS, ...OTHER_GROUNDS])("the focus ring on %s can be seen (WCAG 1.4.11)", (ground) => {
    expect(contrast(value("accent", scheme), value(ground, scheme))).toBeGreaterThanOrEqual(3);
  });

  it.each(["critical", "high", "medium", "low"])("a bar of %s can be seen (WCAG 1.4.11)", (step) => {
    for (const ground of ["page", "raised"])
      expect(contrast(value(step, scheme), value(ground, scheme))).toBeGreaterThanOrEqual(3);
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
