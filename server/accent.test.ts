import { expect, test } from "vitest";

import { accentOf, contrast } from "./accent";

const schemes = (value: string): [string, string] => {
  const [, light = "", dark = ""] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? [];
  return [light, dark];
};

test.each([
  "#4348e0",
  "#ffff00",
  "#ffffff",
  "#000000",
  "#00c853",
  "#ff6d00",
  "#777777",
  "#e91e63",
  "#0ff0ff",
])("%s: text in it, and white text on it, can be read in both schemes", (color) => {
  const accent = accentOf(color);
  const [ink, fill, hover, soft] = [accent.ink, accent.fill, accent.fillHover, accent.soft].map(schemes);
  const grounds = [
    ["#ffffff", "#f3f3f7", "#eaeaf2"],
    ["#111117", "#0a0a0e", "#262631"],
  ];
  for (const scheme of [0, 1] as const) {
    for (const ground of [...(grounds[scheme] ?? []), soft?.[scheme] ?? ""])
      expect(contrast(ink?.[scheme] ?? "", ground)).toBeGreaterThanOrEqual(4.5);
    for (const ground of [fill, hover])
      expect(contrast("#ffffff", ground?.[scheme] ?? "")).toBeGreaterThanOrEqual(4.5);
    expect(contrast("#ffffff", schemes(accent.panel)[scheme])).toBeGreaterThanOrEqual(7);
  }
});

test("a color that can be read already stays as it is", () => {
  expect(schemes(accentOf("#4348e0").fill)[0]).toBe("#4348e0");
});
