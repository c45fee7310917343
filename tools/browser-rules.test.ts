import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What a user can press against: listeners of events, subscriptions to navigations, and the focus. */
const TAKES_INPUT = /\baddEventListener\(|\bsubscribe\(|\.focus\(/;

/** The effects of `text` that run after the paint, and listen for input or move the focus. */
function lateListeners(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/\buseEffect\(/.test(text) || !TAKES_INPUT.test(text)) return found;
  new Visitor({
    CallExpression({ callee, start, end }) {
      if (callee.type !== "Identifier" || callee.name !== "useEffect") return;
      if (TAKES_INPUT.test(text.slice(start, end)))
        found.push(`${file}:${text.slice(0, start).split("\n").length}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

test("finds an effect that listens after the paint", () => {
  const text = `useLayoutEffect(() => document.addEventListener("copy", copy));
useEffect(() => {
  window.addEventListener("keydown", press);
});
useEffect(() => note(field.current));`;
  expect(lateListeners("example.ts", text)).toEqual(["example.ts:2"]);
});

const sources = ["contract", "src"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\/|node_modules/.test(file))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")] as const),
);

test("what listens for input, or takes the focus, does so before it is painted, so that no press is lost", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(([file, text]) => lateListeners(file, text))).toEqual([]);
});

test("sizes are observed by observeSize(), which writes nothing within the observer's call", () => {
  const observing = sources.filter(([, text]) => /\bnew ResizeObserver\b/.test(text)).map(([file]) => file);
  expect(observing).toEqual(["src/ui/observe-size.ts"]);
});
