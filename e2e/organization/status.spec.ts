import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";

test("somebody without a role measures the service and copies a report without a secret; then it is out of reach", async ({
  signUp,
  problems,
}) => {
  const { page, context, open } = await signUp();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("");
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("link", { name: "Platform status" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Platform status" })).toBeFocused();
  const latency = page.getByRole("region", { name: "Latency of each area" });
  await expect(latency.getByText("5 of 5 answered")).toHaveCount(7);
  await expect(page.getByText("Same time, within 2 seconds")).toBeVisible();
  await expect(page.getByText("Automatic, by refresh token")).toBeVisible();
  await hasNoFinding(page, "main");

  const about = page.getByRole("region", { name: "About" });
  const opened = context.waitForEvent("page");
  await about.getByRole("link", { name: "their own licenses" }).click();
  const licenses = await opened;
  await expect(licenses.getByText("react-dom 19.3.1 (MIT)")).toBeVisible();
  await licenses.close();

  await page.getByRole("button", { name: "Copy report" }).click();
  await expect(page.getByText("Copied the report")).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^ {2}iam \(GET \/iam\/v2\/groups\): median [\d.]+ ms, worst/m);
  expect(report).toMatch(/^ {2}Console build: \w+-/m);
  const secrets = await page.evaluate(() =>
    Object.values(sessionStorage).flatMap((text) =>
      [...text.matchAll(/"\w+Token":"([^"]+)"/g)].map(([, token]) => token),
    ),
  );
  expect(secrets.length).toBeGreaterThan(1);
  for (const secret of secrets) expect(report).not.toContain(secret);

  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Measure again" }).click();
  await expect(page.getByRole("alert").getByText("The service can't be reached")).toBeVisible();
  await expect(latency.getByText(/^Unreachable:/)).toHaveCount(7);
});
