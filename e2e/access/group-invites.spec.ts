import { readFile } from "node:fs/promises";

import type { Page } from "@playwright/test";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import type { Role } from "platform-contract/iam/roles";

import { deletions } from "../deletions";
import { address } from "../api";
import { bind } from "../bindings";
import { expect, gate, ownService, test, unique } from "../fixtures";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { makeDataDirectory, removeDataDirectory, startBuiltService } from "../service";

const PASSWORD = "correct horse battery staple";

/** Creates an invite with the open form; returns its link. */
async function invite(page: Page, role: string): Promise<string> {
  const form = page.getByRole("dialog", { name: "Create invite" });
  await form.getByLabel("Role").selectOption({ label: `${role} (built-in)` });
  await form.getByRole("button", { name: "Create invite" }).click();
  return linkShown(page);
}

/** Reads the link, which is shown once, and confirms that it was copied. */
async function linkShown(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Invite created" });
  const link = (await dialog.getByText(/\/invite#[\w-]{43}$/).textContent()) ?? "";
  await expect(dialog.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await hasNoFinding(page, "[role=dialog]");
  await dialog.getByLabel("I've copied it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  return link;
}

test(
  "where sign-up is closed an owner invites a newcomer, who makes an account and works @long",
  ownService,
  async ({ page, browser, problems }) => {
    test.slow();
    const directory = await makeDataDirectory();
    const admin = { ADMIN_EMAIL: "owner@journeys.example", ADMIN_PASSWORD: PASSWORD };
    const service = await startBuiltService(directory, { SIGN_UP: "closed", ...admin });
    const context = await browser.newContext();
    await problems.watch(context);
    try {
      await page.goto(`${service.url}/groups?drawer=create-organization`);
      await expect(page.getByRole("link", { name: "Create an account" })).toBeHidden();
      await page.getByLabel("Email").fill(admin.ADMIN_EMAIL);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      const drawer = page.getByRole("dialog", { name: "Create organization" });
      await drawer.getByRole("textbox", { name: "Name" }).fill("acme");
      await drawer.getByRole("button", { name: "Create organization" }).click();
      await page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "acme" }).click();
      await page.getByRole("button", { name: "More actions for acme" }).click();
      await page.getByRole("menuitem", { name: "Invite people" }).click();
      const link = await invite(page, "owner");

      const guest = await context.newPage();
      await guest.goto(link);
      await expect(guest.getByText("You have an invite")).toBeVisible();
      expect(guest.url()).not.toContain(link.split("#")[1]);
      await guest.getByRole("link", { name: "Create an account" }).click();
      await guest.getByLabel("Email").fill("newcomer@journeys.example");
      await guest.getByLabel("Name").fill("New Comer");
      await guest.getByLabel("Password").fill(PASSWORD);
      await guest.getByRole("button", { name: "Create account" }).click();
      await expect(
        guest.getByText("You're signed in as New Comer (newcomer@journeys.example)"),
      ).toBeVisible();
      await expect(guest.getByText("acme", { exact: true })).toBeVisible();
      await expect(guest).toHaveURL(`${service.url}/invite`);
      await guest.getByRole("button", { name: "Join", exact: true }).click();
      await expect(guest.getByRole("heading", { name: "acme", level: 1 })).toBeVisible();
      await guest.getByRole("button", { name: "Create folder" }).click();
      const form = guest.getByRole("dialog", { name: "Create folder" });
      await form.getByRole("textbox", { name: "Name" }).fill("first-work");
      await form.getByRole("button", { name: "Create folder" }).click();
      await expect(guest.getByText("Created folder first-work").first()).toBeVisible();

      // A used invite shows the same message as any other invalid code.
      await page.goto(link);
      await expect(page.getByRole("button", { name: "Join", exact: true })).toBeHidden();
      await expect(page.getByText("This invite can't be used")).toBeVisible();
      problems.allow(/status of 404 .*\/auth\/v1\/register/);
      // Leave the page before the service stops.
      await page.goto("about:blank");
    } finally {
      await context.close();
      await service.stop();
      await removeDataDirectory(directory);
    }
  },
);

test(
  "an invite is made, changed, re-issued and revoked; a wrong email is said at its field",
  gate,
  async ({ person, problems }) => {
    const { page, api, organization, open } = person;
    await open(`group-invites?group=${organization.uid}&drawer=create`);
    const form = page.getByRole("dialog", { name: "Create invite" });
    await form.getByLabel("Email").fill("nobody");
    await form.getByRole("button", { name: "Create invite" }).click();
    await expect(form.getByText("Must be an address such as name@example.com")).toBeVisible();
    await form.getByLabel("Email").fill("ada@example.com");
    const first = await invite(page, "viewer");

    const row = page.getByRole("table", { name: "Invites" });
    await expect(row.getByText("Pending")).toBeVisible();
    const [made] = (await api.get<{ groupInvites: GroupInvite[] }>("/iam/v2/groupInvites")).groupInvites;
    const actions = page.getByRole("button", { name: "Actions for viewer for ada@example.com" });
    await actions.click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("dialog", { name: "Edit invite" }).getByLabel("Lifetime").selectOption("1 day");
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === "PATCH"),
      page.getByRole("button", { name: "Save changes" }).click(),
    ]);
    expect([new URL(sent.url()).searchParams.get("updateMask"), sent.postDataJSON()]).toEqual([
      "ttl",
      { ttl: "86400s" },
    ]);
    await expect(page.getByText(/^Saved invite/).first()).toBeVisible();

    await row.getByRole("link", { name: "ada@example.com" }).click();
    await expect(page).toHaveURL(new RegExp(`group-invites/${param(made?.uid ?? "")}`));
    await page.getByRole("button", { name: "Re-issue" }).click();
    await page.getByRole("button", { name: "Re-issue invite" }).click();
    const second = await linkShown(page);
    expect(second).not.toBe(first);
    // The old invite is gone, and so is its page.
    await expect(row.getByRole("link", { name: "ada@example.com" })).toHaveCount(1);
    const again = await api.get<{ groupInvites: GroupInvite[] }>("/iam/v2/groupInvites");
    expect(again.groupInvites.map(({ uid, email }) => [uid === made?.uid, email])).toEqual([
      [false, "ada@example.com"],
    ]);

    problems.allow(/status of 404 .*\/auth\/v1\/register/);
    await page.goto(second);
    await expect(page.getByText("This invite can't be used")).toBeVisible();
    await page.goto(address("invite#made-up"));
    await expect(page.getByText("This invite can't be used")).toBeVisible();
    await expect(page).toHaveURL(address("invite"));

    await open(`group-invites?group=${organization.uid}`);
    await actions.click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(deletions(page).getByText(/^Deleted invite /)).toBeVisible();
    await expect(page.getByRole("heading", { name: "No invites here yet" })).toBeVisible();
  },
);

test("several addresses get a link each, and those that are refused stay in the form", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  await open(`group-invites?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog", { name: "Create invite" });
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  await form.getByLabel("Email").fill("ada@example.com, nobody\nbo@example.com");
  await form.getByRole("button", { name: "Create 3 invites" }).click();
  await expect(form.getByText("“nobody” must be an address such as name@example.com")).toBeVisible();
  await form.getByLabel("Email").fill("ada@example.com\nADA@example.com bo@example.com;cy@example.com");
  await form.getByRole("button", { name: "Create 3 invites" }).click();
  const links = page.getByRole("dialog", { name: "3 invites created" });
  await expect(links.getByRole("row")).toHaveCount(4);
  const shown = await links
    .getByRole("row", { name: /bo@example\.com/ })
    .locator("code")
    .getAttribute("data-exact");
  expect(shown).toContain("/invite#");
  const download = page.waitForEvent("download");
  await links.getByRole("button", { name: "Download as CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain(`bo@example.com,${shown},`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await links.getByRole("button", { name: "Copy all" }).click();
  await expect(page.getByText("Copied the links")).toBeVisible();
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(copied).toHaveLength(3);
  expect(copied[1]).toBe(`bo@example.com ${shown}`);
  await links.getByLabel("I've copied or saved them").check();
  await links.getByRole("button", { name: "Done" }).click();
  const { groupInvites } = await api.get<{ groupInvites: GroupInvite[] }>("/iam/v2/groupInvites");
  expect(groupInvites.map(({ email }) => email).toSorted()).toEqual([
    "ada@example.com",
    "bo@example.com",
    "cy@example.com",
  ]);

  // What all of them lack is said, with the way to it.
  problems.allow(/status of 400 .*\/iam\/v2\/groupInvites/);
  const terms = { name: "tos.v1", label: "Terms of Service", url: "https://example.com/tos" };
  await api.post(`/iam/v2/terms/${organization.uid}`, terms);
  await open(`group-invites?group=${organization.uid}&drawer=create`);
  await form.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
  await form.getByLabel("Email").fill("Di Ruiz <di@example.com>\neve@example.com");
  await form.getByRole("button", { name: "Create 2 invites" }).click();
  await expect(form.getByText("The terms must be accepted first.")).toBeVisible();
  await expect(form.getByRole("link", { name: "Terms of Service" })).toBeVisible();
});

test("a viewer is told what is missing to invite, by a deep link as well @long", async ({
  person,
  signUp,
}) => {
  const { api, organization } = person;
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  const email = `${unique("guest")}@example.com`;
  const body = { roleUid: roles[0]?.uid, ttl: "3600s", email };
  const { uid } = await api.post<GroupInvite>(`/iam/v2/groupInvites/${organization.uid}`, body);
  const { page } = viewer;
  await viewer.open(`group-invites?group=${organization.uid}`);
  await expect(page.getByRole("table", { name: "Invites" }).getByText(email)).toBeVisible();
  await page.getByRole("button", { name: "Create invite" }).hover();
  await expect(page.getByText(/create invites \(group_invites\.create\)/).first()).toBeVisible();
  await page.getByRole("table", { name: "Invites" }).getByRole("link", { name: email }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(email);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Invites", level: 1 })).toBeVisible();
  await viewer.open(`group-invites/${param(uid)}?drawer=edit`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Save changes" })).toBeVisible();
});

test("deleted invites are created again with the same end and new links, which is said before", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const { roles } = await api.get<{ roles: Role[] }>("/iam/v2/roles?name=viewer");
  for (const name of ["ada", "bo"])
    await api.post(`/iam/v2/groupInvites/${organization.uid}`, {
      roleUid: roles[0]?.uid,
      email: `${name}@example.com`,
      ttl: "7200s",
      singleUse: true,
    });
  const invites = async () =>
    (await api.get<{ groupInvites: GroupInvite[] }>("/iam/v2/groupInvites")).groupInvites;
  const before = await invites();
  await page.clock.install();
  await open(`group-invites?group=${organization.uid}`);
  await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
  await page.getByRole("button", { name: "Delete 2 invites" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 2 invites?" });
  await expect(dialog).toContainText("You can undo this afterwards: they are created again");
  await expect(dialog).toContainText("Their links are new");
  await dialog.getByRole("button", { name: "Delete 2 invites" }).click();
  const panel = page.getByRole("region", { name: "Deleted 2 invites" });
  await panel.getByRole("button", { name: "Undo" }).click();
  const restored = page.getByRole("region", { name: "Restored 2 invites" });
  await expect(restored).toBeVisible();
  // Over, it goes by itself, but not from under the pointer.
  await restored.hover();
  await page.clock.fastForward(25_000);
  await expect(restored).toBeVisible();
  await page.getByRole("heading", { level: 1 }).hover();
  await page.clock.fastForward(25_000);
  await expect(restored).toBeHidden();
  const after = await invites();
  expect(after.map(({ email }) => email).toSorted()).toEqual(["ada@example.com", "bo@example.com"]);
  for (const { uid, singleUse, role, expirationTime } of after) {
    expect(before.map((one) => one.uid)).not.toContain(uid);
    expect([singleUse, role?.name]).toEqual([true, "viewer"]);
    const end = Date.parse(before[0]?.expirationTime ?? "");
    expect(Math.abs(Date.parse(expirationTime ?? "") - end)).toBeLessThan(60_000);
  }
});
