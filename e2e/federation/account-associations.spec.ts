import { expect, test } from "../fixtures";
import { bind } from "../bindings";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

test("an account association is made, checked, changed and deleted; a viewer is told what it takes", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, organization, open } = person;
  problems.allow(/status of 4\d\d/);
  const team = await folder(api, organization, "team");
  await api.post(`/iam/v2/identities/${team.uid}`, {
    name: "signing",
    servicePrincipal: "SERVICE_PRINCIPAL_COSIGNED",
  });
  await open(`account-associations?group=${param(team.uid)}`);
  await expect(
    page.getByRole("heading", { name: "No account associations in this folder or below" }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Create account association" }).first().click();
  const form = page.getByRole("dialog");
  const submit = form.getByRole("button", { name: "Create account association" });
  await form.getByRole("textbox", { name: "Name" }).fill("accounts");
  await form.getByText("AWS", { exact: true }).click();
  await form.getByRole("textbox", { name: "Account number" }).fill("12345");
  await submit.click();
  await expect(form.getByText("Must be 12 digits")).toBeVisible();
  await form.getByRole("textbox", { name: "Account number" }).fill("123456789012");
  await form.getByText("GitHub", { exact: true }).click();
  await form.getByRole("button", { name: "Add installation" }).click();
  await form.getByRole("textbox", { name: "App ID" }).fill("77");
  await form.getByRole("textbox", { name: "Installation ID" }).fill("abc");
  await submit.click();
  await expect(form.getByText("Must be digits")).toBeVisible();
  await form.getByRole("textbox", { name: "Installation ID" }).fill("4711");
  await form.getByText("Platform services", { exact: true }).click();
  await form.getByRole("button", { name: "Add service" }).click();
  await form.getByRole("combobox", { name: "Identity" }).selectOption({ label: "cosigned: signing" });
  await submit.click();
  await page.getByRole("link", { name: "Open account association" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "accounts" })).toBeVisible();
  await expect(page.getByText("123456789012", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /77 4711/ })).toBeVisible();
  await hasNoFinding(page, "main");

  await page.getByRole("button", { name: "Check AWS" }).click();
  await expect(page.getByText("AWS: not checked")).toBeVisible();
  await page.getByRole("button", { name: "Check Azure" }).click();
  await expect(page.getByText(/Not configured/)).toBeVisible();

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await form.getByRole("textbox", { name: "Account number" }).fill("210987654321");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await form.getByRole("button", { name: "Save changes" }).click();
  expect(new URL((await sent).url()).searchParams.get("updateMask")).toBe("amazon");
  // It also shows the value, among what changes, and asks before it is left.
  await expect(form).toBeHidden();
  await expect(page.getByText("210987654321", { exact: true })).toBeVisible();

  // A second association for the same group is rejected, with the error on the group field.
  await open(`account-associations?drawer=create&group=${param(team.uid)}`);
  await form.getByRole("textbox", { name: "Name" }).fill("second");
  await submit.click();
  await expect(form.getByText(/this group already has an account association/i)).toBeVisible();

  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open(`account-associations?group=${organization.uid}`);
  await expect(viewer.page.getByRole("link", { name: "accounts", exact: true })).toBeVisible();
  await expect(viewer.page.getByRole("table").getByText("AWS, GitHub, Platform services")).toBeVisible();
  await viewer.page.getByRole("button", { name: "Create account association" }).first().focus();
  await expect(viewer.page.getByText(/account_associations\.create/).first()).toBeVisible();

  await open(`account-associations?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for accounts" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete account association" }).click();
  await expect(page.getByText("Deleted account association accounts").first()).toBeVisible();
  const left = await api.get(`/iam/v2/accountAssociations?uidp.descendants_of=${organization.uid}`);
  expect(left).toMatchObject({ totalCount: "0" });
});
