import { expect, type Page } from "@playwright/test";

/** Signs in to a service with `SEED: "demo"`, at its base address. */
export async function signInToDemo(
  page: Page,
  at: string,
  user: "owner" | "editor" | "viewer" | "folders" | "auditor",
): Promise<void> {
  await page.goto(at);
  await page.getByLabel("Email").fill(`${user}@demo.example`);
  await page.getByLabel("Password").fill("platform-demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Quick actions" })).toBeVisible();
}
