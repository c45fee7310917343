import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { folder, param } from "../records";

/** Loaded files of the typeface, as their names before the hash. */
const fontsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => /\/assets\/(geist[a-z-]*?)-wght-normal-[\w-]{8}\.woff2$/.exec(name)?.[1] ?? [])
      .toSorted(),
  );

test("no font loads before the console, and Latin Extended loads for a name that needs it", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await open(`groups?group=${param(organization.uid)}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  // On a slow line it would take a seventh of the time to the first rows.
  const early = await page.evaluate(() => {
    const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const app = files.find(({ name }) => /\/assets\/app-[\w-]{8}\.js$/.test(name));
    const fonts = files.filter(({ name }) => name.endsWith(".woff2"));
    return fonts.filter(({ startTime }) => startTime < app!.responseEnd).map(({ name }) => name);
  });
  expect(early).toEqual([]);
  const before = await fontsOf(page);
  expect(before).toContain("geist-latin");
  expect(before).not.toContain("geist-latin-ext");

  await folder(api, organization, "Łódź");
  await page.reload();
  await expect(page.getByRole("main").getByText("Łódź").first()).toBeVisible();
  await expect.poll(() => fontsOf(page)).toContain("geist-latin-ext");
});

test("text takes the same room before its font arrives as after it @long", async ({ person }) => {
  const { page, open } = person;
  await open("");
  await expect(page.getByRole("region", { name: "Needs attention" })).toBeVisible();
  const measured = await page.evaluate(async () => {
    const text = document.body.innerText.replaceAll(/\s+/g, " ");
    const context = document.createElement("canvas").getContext("2d");
    if (!context) throw new Error("no canvas");
    const measure = async (font: string) => {
      await document.fonts.load(font, text);
      context.font = font;
      const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(text);
      return { width, height: fontBoundingBoxAscent + fontBoundingBoxDescent };
    };
    const pairs = [];
    for (const face of ["400 100px Geist", "500 100px Geist", "600 100px Geist", "400 100px Geist Mono"]) {
      const [, size = "", family = ""] = /^(.*px) (.*)$/.exec(face) ?? [];
      const font = await measure(`${size} "${family}"`);
      const fallback = await measure(`${size} "${family} fallback"`);
      const missing = await measure(`${size} "no such font"`);
      pairs.push({ face, font, fallback, missing });
    }
    return pairs;
  });
  for (const { face, font, fallback, missing } of measured) {
    expect(fallback, `${face}: no local font to fall back to`).not.toEqual(missing);
    expect(Math.abs(fallback.width / font.width - 1), `width of ${face}`).toBeLessThan(0.02);
    expect(Math.abs(fallback.height / font.height - 1), `height of ${face}`).toBeLessThan(0.02);
  }
});
