import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";
import type { Repo } from "platform-contract/registry/repos";

import { expect, test } from "../fixtures";
import { param } from "../records";
import { digestOf, NO_IMAGE } from "../tags";

/** Markup, an attempt to break out of an attribute, and a bidirectional override character. */
const NAME = `<img src=x onerror=alert(1)>"'\`\u202Egpj.exe`;
const MARKUP = `</textarea><svg onload=alert(2)><a href="javascript:alert(3)">here</a>`;

test("names and texts that are markup are text wherever the console shows them", async ({
  person,
  problems,
}) => {
  problems.allow(NO_IMAGE);
  const { page, api, organization, open } = person;
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const group = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, {
    name: NAME,
    description: MARKUP,
  });
  const identity = await api.post<Identity>(`/iam/v2/identities/${group.uid}`, {
    name: "ci",
    description: MARKUP,
    claimMatch: { issuer: "https://issuer.example", subject: NAME, claims: { [NAME.slice(0, 28)]: MARKUP } },
  });
  const repo = await api.post<Repo>(`/registry/v2/repos/${group.uid}`, {
    name: "web",
    description: MARKUP,
    aliases: [NAME],
    customOverlay: { environment: { NAME: MARKUP }, contents: { packages: [NAME] } },
  });
  const injected = page.locator("img[src=x], svg[onload], a[href^='javascript:']");

  // List, tree, filter and accessible names of buttons.
  await open(`groups?group=${organization.uid}`);
  const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: NAME });
  await expect(row).toBeVisible();
  await expect(page.getByRole("treeitem", { name: NAME, exact: true })).toBeVisible();
  await expect(injected).toHaveCount(0);

  // Heading, breadcrumbs, title, description.
  await row.click();
  await expect(page.getByRole("heading", { name: NAME, level: 1 })).toBeVisible();
  await expect(page.getByText(MARKUP)).toBeVisible();
  expect(await page.title()).toContain(NAME);
  await expect(injected).toHaveCount(0);

  // The edit form and the delete dialog.
  await page.getByRole("button", { name: "Edit" }).click();
  const drawer = page.getByRole("dialog", { name: "Edit folder" });
  await expect(drawer.getByLabel("Description")).toHaveValue(MARKUP);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `More actions for ${NAME}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: `Delete folder ${NAME}?` });
  await expect(confirm.getByText("Still inside:")).toBeVisible();
  await expect(injected).toHaveCount(0);
  const empty = await api.post<Group>(`/iam/v2/groups/${group.uid}`, { name: NAME });
  await open(`groups/${param(empty)}?drawer=delete`);
  await confirm.getByLabel(/Type the name/).fill(NAME);
  await expect(confirm.getByRole("button", { name: "Delete folder" })).toBeEnabled();
  await expect(injected).toHaveCount(0);

  // The claims of an identity, and a filter without matches.
  await open(`identities/${param(identity)}`);
  await expect(page.getByText(NAME, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(MARKUP).first()).toBeVisible();
  await open(`repos/${param(repo)}`);
  await expect(page.getByText(NAME, { exact: true })).not.toHaveCount(0);
  await expect(page.getByText(MARKUP)).toHaveCount(2);
  // Free-text fields of a tag.
  const tag = await api.post<{ uid: string }>(`/registry/v2/tags/${repo.uid}`, {
    name: "1.0",
    digest: digestOf(1),
    bundles: [NAME, MARKUP],
  });
  await open(`tags/${param(tag)}`);
  await expect(page.getByText(NAME, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(MARKUP, { exact: true })).toBeVisible();
  await expect(injected).toHaveCount(0);
  await open(`tags?repo=${param(repo)}&name=${encodeURIComponent(MARKUP)}`);
  await expect(page.getByText(MARKUP)).toBeVisible();
  await expect(injected).toHaveCount(0);
  await open(`groups?group=${organization.uid}&name=${encodeURIComponent(MARKUP)}`);
  await expect(page.getByText(MARKUP)).toBeVisible();
  await expect(injected).toHaveCount(0);
  expect(dialogs).toEqual([]);
});
