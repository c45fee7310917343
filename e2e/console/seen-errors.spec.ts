import { expect, test } from "../fixtures";
import { param } from "../records";

test("an error has its reason, domain and request id behind Details, and stays in the list of errors seen", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 40[34] .*\/iam\/v2\/groups/);
  const { page, organization } = person;
  const answered = page.waitForResponse(
    (response) => /\/groups\/.*f{16}$/.test(response.url()) && !response.ok(),
  );
  await person.open(`groups/${param(organization)}_${"f".repeat(16)}`);
  const response = await answered;
  const { details } = (await response.json()) as { details: { reason?: string; domain?: string }[] };
  const info = details.find(({ reason }) => reason !== undefined);
  const main = page.getByRole("main");
  await main.getByText("Details", { exact: true }).click();
  await expect(main.getByText(info?.reason ?? "no reason", { exact: true })).toBeVisible();
  await expect(main.getByText(info?.domain ?? "no domain", { exact: true })).toBeVisible();
  await expect(main.getByRole("button", { name: "Copy request id" })).toBeVisible();

  // Elsewhere, the header still knows.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Repos" }).click();
  await expect(page.getByRole("heading", { name: "Repos", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "1 error seen" }).click();
  const panel = page.getByRole("dialog", { name: "Errors seen" });
  await expect(panel.getByText(`/groups/${param(organization)}_${"f".repeat(16)}`)).toBeVisible();
  await panel.getByText("Details", { exact: true }).click();
  await expect(panel.getByText(info?.reason ?? "no reason", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("button", { name: /errors? seen/ })).toHaveCount(0);
});
