import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";

import { expect, ownService, test, unique } from "../fixtures";
import { hasNoFinding } from "../lists";
import {
  freePort,
  makeDataDirectory,
  removeDataDirectory,
  startBuiltService,
  type RunningService,
} from "../service";

// One service for all of them.
test.describe.configure({ mode: "default" });

const PASSWORD = "correct horse battery staple";
let url: string;
let service: RunningService | undefined;
let directory: string | undefined;

// Passkeys need a name: an IP address has none.
test.beforeEach(async () => {
  if (service) return;
  test.setTimeout(180_000);
  const port = await freePort();
  url = `http://localhost:${port}`;
  directory = await makeDataDirectory();
  service = await startBuiltService(directory, {
    PORT: String(port),
    PUBLIC_URL: url,
    SECOND_FACTOR: "required",
  });
});
test.afterAll(async () => {
  await service?.stop();
  if (directory !== undefined) await removeDataDirectory(directory);
});

/** Creates an account, as far as the page that asks for a second factor. */
async function createAccount(page: Page): Promise<string> {
  const email = `${unique("factor")}@journeys.example`;
  await page.goto(`${url}/`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible();
  await hasNoFinding(page, "body");
  return email;
}

/** Reads the recovery codes, and goes on to the console. */
async function keepCodes(page: Page): Promise<string[]> {
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await hasNoFinding(page, "body");
  const codes = await page.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole("button", { name: "I've kept them, continue" }).click();
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
  return codes;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).click();
}

test(
  "a newcomer sets up a passkey, which then signs them in without the password",
  ownService,
  async ({ page, context }) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await createAccount(page);
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.getByLabel("Name").fill("Laptop");
    await page.getByRole("button", { name: "Create passkey" }).click();
    await keepCodes(page);
    await signOut(page);
    const passkey = page.getByRole("button", { name: "Sign in with a passkey" });
    await expect(passkey).toBeVisible();
    await hasNoFinding(page, "body");
    await passkey.click();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("link", { name: "Second factors" }).click();
    await expect(page.getByRole("link", { name: "Change Laptop" })).toBeVisible();
    await hasNoFinding(page, "body");
    await page.getByRole("link", { name: "Change Laptop" }).click();
    await page.getByRole("button", { name: "Use your passkey" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("alert")).toHaveText(/Add another one before you remove this one/);
  },
);

test(
  "a newcomer sets up an authenticator app, loses it, and gets in with a recovery code",
  ownService,
  async ({ page }) => {
    const email = await createAccount(page);
    await page.getByRole("link", { name: "Add an authenticator app" }).click();
    const secret = (await page.getByRole("listitem").locator("code").innerText()).replaceAll(" ", "");
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    await page.getByRole("button", { name: "Add app" }).click();
    await expect(page.getByText(/^Incorrect code\./)).toBeVisible();
    await hasNoFinding(page, "body");
    await page
      .getByRole("textbox", { name: "Code" })
      .fill(TOTP.generate({ secret: Secret.fromBase32(secret) }));
    await page.getByRole("button", { name: "Add app" }).click();
    const [code = ""] = await keepCodes(page);
    await signOut(page);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
    await hasNoFinding(page, "body");
    await page.getByRole("link", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code.toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("link", { name: "Second factors" }).click();
    await expect(page.getByText("9 of 10 left")).toBeVisible();
  },
);
