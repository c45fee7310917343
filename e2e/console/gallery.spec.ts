import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { createServer, type ViteDevServer } from "vite";

import { LONG } from "../fixtures";
import { Problems } from "../problems";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

let server: ViteDevServer;
test.beforeAll(async () => {
  server = await createServer({ server: { port: 0 }, logLevel: "error" });
  await server.listen();
});
test.afterAll(() => server.close());

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    test(`the gallery of parts is in order, ${colorScheme}, ${width} px`, async ({ browser }, info) => {
      // The first visit has each module transformed, on a machine that does other things too.
      test.setTimeout(180_000);
      const problems = new Problems();
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 844 },
        reducedMotion: "reduce",
      });
      await problems.watch(context);
      const page = await context.newPage();
      await page.goto(new URL("__parts", server.resolvedUrls?.local[0]).href);
      await expect(page.getByRole("heading", { name: "Parts of the console" })).toBeVisible();
      await expect(page.getByRole("application", { name: "Resolved in 60 days" })).toBeVisible();
      const beside = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(beside, { message: "pixels beside the window" }).toBeLessThanOrEqual(0);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(RULES).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
      ).toEqual([]);
      if (LONG) await info.attach("gallery", { body: await page.screenshot({ fullPage: true }) });
      expect(problems.unexpected).toEqual([]);
      await context.close();
    });
