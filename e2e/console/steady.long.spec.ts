import { settled } from "../addresses";
import { everyScreen } from "../every-screen";
import { ownService, test } from "../faulty";
import { holdFonts, keepsItsLines, staysPut } from "../layout-shift";

test.use({ serviceVariables: { SEED: "demo" } });

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(
    `nothing moves while any screen is loaded, ${width} px wide`,
    ownService,
    async ({ page, proxied }) => {
      // 60 screens, each from an empty cache and until the network is quiet.
      test.setTimeout(600_000);
      await page.setViewportSize({ width, height });
      const browser = await page.context().newCDPSession(page);
      await everyScreen(page, proxied, async (path, address) => {
        await browser.send("Network.clearBrowserCache");
        await page.goto(address);
        await settled(page, {}, path);
        await staysPut(page, path);
      });
    },
  );

  test(
    `no line is added or lost when the fonts come late, ${width} px wide`,
    ownService,
    async ({ page, proxied }) => {
      test.setTimeout(600_000);
      await page.setViewportSize({ width, height });
      const browser = await page.context().newCDPSession(page);
      const fonts = await holdFonts(page);
      await everyScreen(page, proxied, async (path, address) => {
        fonts.hold();
        await browser.send("Network.clearBrowserCache");
        await page.goto(address);
        await settled(page, {}, path);
        await keepsItsLines(page, path, fonts.release);
      });
    },
  );
}
