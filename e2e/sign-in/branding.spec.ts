import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, ownService, test } from "../faulty";
import { hasNoFinding } from "../lists";

const folder = join(tmpdir(), `branding-${process.pid}`);
mkdirSync(folder, { recursive: true });
const logo = join(folder, "logo.svg");
writeFileSync(
  logo,
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#0a7d5a"/></svg>',
);
test.use({
  serviceVariables: {
    BRAND_TITLE: "Meridian Freight Software Platform",
    BRAND_LOGO: logo,
    // Too light for white text: its shades are computed.
    BRAND_ACCENT: "#1de9b6",
    SUPPORT_URL: "https://support.example.com/platform",
    IMPRINT_URL: "https://example.com/imprint",
  },
});

test(
  "an installation has its own name and logo, and says where to get help",
  ownService,
  async ({ faulty, page }) => {
    const { open } = faulty;
    await open("");
    await expect(page).toHaveTitle(/ - Meridian Freight Software Platform$/);
    const brand = page.getByRole("link", { name: "Meridian Freight Software Platform" });
    await expect(brand).toBeVisible();
    const mark = brand.locator("img");
    expect(await mark.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(
      true,
    );
    expect(
      await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue("--pc-accent-fill"),
      ),
    ).toMatch(/^light-dark\(#[01]\w/);
    await hasNoFinding(page, "main");
    await page.getByRole("button", { name: /^Your account/ }).click();
    await expect(page.getByRole("link", { name: "Support" })).toHaveAttribute(
      "href",
      "https://support.example.com/platform",
    );
    await expect(page.getByRole("link", { name: "Imprint" })).toHaveAttribute(
      "href",
      "https://example.com/imprint",
    );
  },
);

test("the sign-in page has them as well", ownService, async ({ proxied, page }) => {
  await page.goto(`${proxied.proxy.url}/`);
  await expect(page).toHaveTitle("Sign in - Meridian Freight Software Platform");
  await expect(page.getByRole("link", { name: "Support" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Imprint" })).toBeVisible();
  await hasNoFinding(page, "body");
});
