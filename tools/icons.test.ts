import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { onePath, onePathIcons } from "./icons";

const ICONS = new URL("../node_modules/lucide-react/dist/esm/icons/", import.meta.url);

test("draws each shape as a path", () => {
  expect(onePath([["path", { d: "m9 18 6-6-6-6", key: "a" }]])).toBe("M9 18l6-6-6-6");
  expect(
    onePath([
      ["path", { d: "M5 12h14" }],
      ["path", { d: "m.5 1-.5.5" }],
    ]),
  ).toBe("M5 12h14M.5 1l-.5.5");
  expect(onePath([["circle", { cx: "12", cy: "12", r: "10" }]])).toBe(
    "M2 12a10 10 0 1 1 20 0a10 10 0 1 1 -20 0z",
  );
  expect(onePath([["line", { x1: "1", y1: "2", x2: "3", y2: "4" }]])).toBe("M1 2L3 4");
  expect(onePath([["polyline", { points: "1 2 3 4" }]])).toBe("M1 2 3 4");
  expect(onePath([["rect", { x: "3", y: "3", width: "8", height: "6", rx: "2" }]])).toBe(
    "M5 3h4a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-4a2 2 0 0 1 -2 -2v-2a2 2 0 0 1 2 -2z",
  );
});

test("leaves an icon alone whose shapes differ in more than geometry", () => {
  expect(onePath([["circle", { cx: "1", cy: "1", r: ".5", fill: "currentColor" }]])).toBeUndefined();
});

const transform = onePathIcons.transform as (code: string, id: string) => { code: string } | undefined;

test("finds the shapes in the files of the library, nearly all of which become one path", () => {
  const files = readdirSync(ICONS).filter((name) => /^[a-m].*\.mjs$/.test(name));
  const drawn = files.filter((name) => {
    const url = new URL(name, ICONS);
    const made = transform(readFileSync(url, "utf8"), url.pathname);
    return made && /node: \[\["path",\{"d":"M[^"]*[^"\d.\s,aclhmqstvzACHLMQSTVZ-]?"/.test(made.code);
  });
  // The rest are aliases, and the few with a filled dot.
  expect(files.length).toBeGreaterThan(500);
  expect(drawn.length / files.length).toBeGreaterThan(0.8);
  expect(transform("export {}", "/src/ui/icons/x.mjs")).toBeUndefined();
});
