import type { Page } from "@playwright/test";

import { startMailServer, type MailServer, type Received } from "../../server/testing/mail-server";
import { expect, ownService, test as base } from "../fixtures";
import { hasNoFinding } from "../lists";
import { makeDataDirectory, removeDataDirectory, startBuiltService, type RunningService } from "../service";

const PASSWORD = "correct horse battery staple";
const NEXT = "another good password of mine";
const EMAIL = "ada@journeys.example";

interface Mailing {
  readonly service: RunningService;
  readonly server: MailServer;
  /** The latest mail to an address with this subject, once it came. */
  mail(to: string, subject: string): Promise<Received>;
}

/** A service of its own that sends mail to a server of the test. */
const test = base.extend<{ mailing: Mailing }>({
  mailing: [
    async ({ page }, use) => {
      const directory = await makeDataDirectory();
      const server = await startMailServer();
      const service = await startBuiltService(directory, {
        SMTP_URL: server.url,
        MAIL_FROM: "Console <console@journeys.example>",
        SUPPORT_URL: "mailto:help@journeys.example",
      });
      const found = (to: string, subject: string) =>
        server.received.findLast((mail) => mail.to === to && mail.subject.startsWith(subject));
      await use({
        service,
        server,
        async mail(to, subject) {
          await expect.poll(() => found(to, subject), { timeout: 20_000 }).toBeDefined();
          return found(to, subject) as Received;
        },
      });
      // Leave the page before the service stops.
      await page.goto("about:blank");
      await service.stop();
      await server.stop();
      await removeDataDirectory(directory);
    },
    { timeout: 180_000 },
  ],
});

async function signUp(page: Page, url: string, email = EMAIL): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test(
  "somebody who forgot their password chooses a new one by a mailed link, and signs in with it",
  ownService,
  async ({ mailing, page, browser, problems }) => {
    test.slow();
    problems.allow(/status of 410 .*\/oidc\/account\/reset-password/);
    await signUp(page, mailing.service.url);
    const context = await browser.newContext();
    await problems.watch(context);
    const other = await context.newPage();
    await other.goto(`${mailing.service.url}/roles`);
    await other.getByLabel("Email").fill(EMAIL);
    await other.getByRole("link", { name: "Forgot your password?" }).click();
    await hasNoFinding(other, "main");
    await other.getByRole("button", { name: "Send the link" }).click();
    await expect(other.getByText("Enter your email address.")).toBeVisible();
    await other.getByLabel("Email").fill(EMAIL);
    await other.getByRole("button", { name: "Send the link" }).click();
    await expect(other.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    await expect(other.getByRole("status")).toContainText(`If ${EMAIL} is the address of an account`);
    const { link } = await mailing.mail(EMAIL, "Reset your password");
    await other.goto(link);
    await hasNoFinding(other, "main");
    await other.getByLabel("New password", { exact: true }).fill(NEXT);
    await other.getByRole("button", { name: "Set password" }).click();
    await expect(other.getByRole("heading", { name: "Password changed" })).toBeVisible();
    await mailing.mail(EMAIL, "Your password was changed");
    await other.getByRole("link", { name: "Sign in" }).click();
    await signIn(other, EMAIL, NEXT);
    await expect(other.getByRole("button", { name: /^Your account/ })).toBeVisible();
    await other.goto(link);
    await expect(other.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
    await context.close();
  },
);

test(
  "somebody confirms their address, changes it, and signs in with the new one @long",
  ownService,
  async ({ mailing, page }) => {
    test.slow();
    await signUp(page, mailing.service.url);
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("link", { name: "Email address" }).click();
    await expect(page.getByText("Not confirmed yet.")).toBeVisible();
    await hasNoFinding(page, "main");
    await page.goto((await mailing.mail(EMAIL, "Confirm your address")).link);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { name: "Address confirmed" })).toBeVisible();
    await page.goto(`${mailing.service.url}/oidc/account/email`);
    await expect(page.getByText("Confirmed: you opened a link")).toBeVisible();
    await page.getByLabel("New address").fill("lovelace@journeys.example");
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Mail a link there" }).click();
    await expect(page.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    await page.goto((await mailing.mail("lovelace@journeys.example", "Confirm your address")).link);
    await expect(page.getByText("in place of")).toBeVisible();
    await hasNoFinding(page, "main");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { name: "Address confirmed" })).toBeVisible();
    await mailing.mail(EMAIL, "The address of your account was changed");
    await page.getByRole("link", { name: "Go to the console" }).click();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).click();
    await signIn(page, "lovelace@journeys.example", PASSWORD);
    await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
  },
);

test(
  "an owner mails an invite; its page says that it is queued, and then that it was sent @long",
  ownService,
  async ({ mailing, page, browser, problems }) => {
    test.slow();
    await signUp(page, mailing.service.url);
    await page.goto(`${mailing.service.url}/groups?drawer=create-organization`);
    const drawer = page.getByRole("dialog", { name: "Create organization" });
    await drawer.getByRole("textbox", { name: "Name" }).fill("acme");
    await drawer.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "acme" }).click();
    await page.getByRole("button", { name: "More actions for acme" }).click();
    await page.getByRole("menuitem", { name: "Invite people" }).click();
    let busy = true;
    mailing.server.behave("DATA", () => (busy ? 451 : undefined));
    const form = page.getByRole("dialog", { name: "Create invite" });
    await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
    await form.getByLabel("Mail the link to this address").check();
    await form.getByRole("button", { name: "Create invite" }).click();
    await expect(form.getByText("Enter the address to mail it to")).toBeVisible();
    await form.getByRole("textbox", { name: "Email" }).fill("guest@journeys.example");
    await form.getByRole("button", { name: "Create invite" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite created" });
    await expect(dialog.getByText("The mail to guest@journeys.example is queued.")).toBeVisible();
    await hasNoFinding(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.goto(`${mailing.service.url}/group-invites`);
    await page.getByRole("link", { name: "guest@journeys.example" }).click();
    await expect(page.getByText("Queued: not sent yet")).toBeVisible();
    busy = false;
    const { link, text } = await mailing.mail("guest@journeys.example", 'Invite to "acme"');
    expect(text).toContain('with the role "viewer"');
    await page.reload();
    await expect(page.getByText("Sent: the mail server took it")).toBeVisible();
    const context = await browser.newContext();
    await problems.watch(context);
    const guest = await context.newPage();
    await guest.goto(link);
    await guest.getByRole("link", { name: "Create an account" }).click();
    await guest.getByLabel("Email").fill("guest@journeys.example");
    await guest.getByLabel("Password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Create account" }).click();
    await guest.getByRole("button", { name: "Join", exact: true }).click();
    await expect(guest.getByRole("heading", { name: "acme", level: 1 })).toBeVisible();
    await context.close();
  },
);
