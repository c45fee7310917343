import { expect, test } from "./fixtures";
import { hasNoFinding } from "./lists";

test("a role is made, found, changed and deleted; built-in ones say why they stay", async ({
  person,
  problems,
}) => {
  const { page, api, organization, open } = person;
  await open(`roles?group=${organization.uid}`);
  await expect(page.getByRole("heading", { name: "No roles here yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create role" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Enter a name")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("reader");
  await page.getByRole("textbox", { name: "Capabilities" }).fill("CAP_IAM_GROUPS_LIST\nCAP_NOT_THERE");
  problems.allow(/status of 400/);
  await page.getByRole("dialog").getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText(/"CAP_NOT_THERE" is not a capability/)).toBeVisible();
  await page.getByRole("textbox", { name: "Capabilities" }).fill("CAP_IAM_GROUPS_LIST\nCAP_REPO_LIST");
  await page.getByRole("dialog").getByRole("button", { name: "Create role" }).click();
  await page.getByRole("link", { name: "Open role" }).click();
  await expect(page.getByRole("heading", { name: "reader", level: 1 })).toBeVisible();
  await expect(page.getByText("CAP_REPO_LIST", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByLabel("Description").fill("Reads");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved role reader").first()).toBeVisible();

  await open(`roles?holds=repo_list&group=${organization.uid}`);
  await expect(page.getByText("1 of 1 role").first()).toBeVisible();
  await expect(page.getByRole("table").getByRole("link", { name: "reader" })).toBeVisible();
  await hasNoFinding(page, "main");
  // What no screen means does not stay in the address.
  await open(`roles?kind=none&unknown=x&order=name&group=${organization.uid}`);
  await expect(page).toHaveURL(/roles\?order=name&group=[^&]+$/);
  await open("roles/xyz?drawer=none");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /not found/ })).toBeVisible();
  await open("roles");
  await expect(page.getByRole("table").getByRole("link", { name: "viewer", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Actions for viewer", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: /Edit/ })).toContainText("platform's own");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for reader" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("Nobody holds it.")).toBeVisible();
  await page.getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByText("Deleted role reader").first()).toBeVisible();
  expect(await api.get(`/iam/v2/roles?uidp.descendants_of=${organization.uid}`)).toMatchObject({
    totalCount: "0",
  });
});
