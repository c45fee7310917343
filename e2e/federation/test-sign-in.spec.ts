import { startUpstream } from "../../server/testing/upstream";
import { expect, gate, test } from "../fixtures";
import { hasNoFinding } from "../lists";

test(
  "a provider is set up before it is saved: redirect URI, issuer and a test sign-in, then people sign in",
  gate,
  async ({ person, browser, problems }) => {
    // It starts a second provider.
    test.slow();
    const issuer = await startUpstream();
    const { page, organization, open, context } = person;
    await open(`identity-providers?group=${organization.uid}&drawer=create`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Name/).fill("Acme SSO");
    const redirectUri = dialog.locator("code", { hasText: "/oidc/callback/" });
    await expect(redirectUri).toHaveText(new RegExp(`/oidc/callback/${organization.uid}/[0-9a-f]{16}$`));
    const registered = (await redirectUri.textContent()) ?? "";
    await issuer.register(registered);
    await expect(dialog.getByRole("button", { name: "Copy redirect URI" })).toBeVisible();

    const field = dialog.getByLabel(/^Issuer/);
    await field.fill(`${issuer.url}/`);
    await field.blur();
    await expect(dialog.getByText("Nobody could sign in with this issuer")).toBeVisible();
    await dialog.getByRole("button", { name: `Use ${issuer.url}` }).click();
    await expect(field).toHaveValue(issuer.url);
    await expect(dialog.getByText("Found: 1 signing key, PKCE")).toBeVisible();
    await hasNoFinding(page, "[role=dialog]");

    await dialog.getByLabel(/^Client ID/).fill(issuer.clientId);
    await dialog.getByLabel(/^Client secret/).fill("not the secret");
    const start = async () => {
      const opened = context.waitForEvent("page");
      await dialog.getByRole("button", { name: "Test sign-in" }).click();
      return opened;
    };
    const failed = await start();
    await expect(failed.getByRole("heading", { name: "The test sign-in failed" })).toBeVisible();
    await expect(failed.getByRole("alert")).toContainText("doesn't accept this client ID and client secret");
    await failed.close();

    await dialog.getByLabel(/^Client secret/).fill(issuer.clientSecret);
    await expect(dialog.getByText("Not tested with these settings.")).toBeVisible();
    const works = await start();
    await expect(works.getByRole("heading", { name: "The test sign-in works" })).toBeVisible();
    await expect(works.getByText("Nobody was signed in, and nothing was saved.")).toBeVisible();
    await expect(works.getByText("ada@acme.example (verified)")).toBeVisible();
    await hasNoFinding(works, "main");
    await works.close();

    await dialog.getByLabel(/^Default role/).selectOption({ label: "viewer (built-in)" });
    await dialog.getByRole("button", { name: "Create identity provider" }).click();
    await page.getByRole("link", { name: "Open identity provider" }).click();
    await expect(page.getByText(registered)).toBeVisible();

    const other = await browser.newContext();
    await problems.watch(other);
    const newcomer = await other.newPage();
    const uid = new URL(registered).pathname.split("/callback/")[1] ?? "";
    await newcomer.goto(new URL(`/identity-providers?provider=${uid.replaceAll("/", "_")}`, registered).href);
    await newcomer.getByRole("link", { name: "Continue with Acme SSO" }).click();
    await newcomer.getByRole("button", { name: /^Your account/ }).click();
    await expect(newcomer.getByText("ada@acme.example").first()).toBeVisible();
    await other.close();
    await issuer.stop();
  },
);
