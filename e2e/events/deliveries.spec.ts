import type { Page } from "@playwright/test";

import { bind } from "../bindings";
import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { deliveriesOf, startSink, subscribe } from "../sink";

const sheetOf = (page: Page) => page.getByRole("dialog", { name: "Delivery" });

test("deliveries say what became of events; one is sent again, a test event arrives, and a request is explained", async ({
  person,
  signUp,
}) => {
  test.slow();
  const { page, api, organization, open } = person;
  const sink = await startSink();
  const team = await folder(api, organization, "team");
  const subscription = await subscribe(api, team, sink);
  const log = () => deliveriesOf(api, subscription);

  await open(`subscriptions/${param(subscription)}`);
  await page.getByRole("link", { name: "Deliveries" }).click();
  const table = page.getByRole("table", { name: "Deliveries" });
  await expect.poll(async () => (await log())[0]?.state).toBe("DELIVERY_STATE_FAILED");
  const refresh = page.getByRole("button", { name: /^Refresh/ });
  await refresh.click();
  const row = table.getByRole("row", { name: /events\.subscription\.created\.v1/ });
  await expect(row).toContainText("Failed, will retry");
  await expect(row).toContainText("HTTP 503");
  await hasNoFinding(page, "main");

  sink.status = 204;
  await row.getByRole("link").click();
  const sheet = sheetOf(page);
  await expect(sheet.getByText("An event subscription was created.")).toBeVisible();
  await expect(sheet.getByRole("row", { name: /HTTP 503/ }).first()).toBeVisible();
  // In a small window the sheet scrolls, and cuts nothing off.
  await page.setViewportSize({ width: 390, height: 600 });
  const cut = await sheet
    .locator("dl, [role=region]")
    .evaluateAll((boxes) => boxes.map((box) => box.scrollHeight - box.clientHeight));
  expect(cut).toEqual([0, 0]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await sheet.getByRole("button", { name: "Send now" }).click();
  await expect(sheet.getByText("Delivered", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(sheet.getByRole("alert")).toHaveCount(0);
  await expect(sheet.getByRole("button", { name: "Send again" })).toBeVisible();
  await hasNoFinding(page, "dialog");
  await sheet.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("The test event is on its way").first()).toBeVisible();
  await expect(table.getByRole("row", { name: /platform-console\.subscription\.test\.v1/ })).toContainText(
    "Delivered",
  );
  await page
    .getByRole("combobox", { name: "Event type" })
    .selectOption("platform-console.subscription.test.v1");
  await expect(row).toBeHidden();
  await page.getByRole("combobox", { name: "State" }).selectOption("Given up");
  await expect(page.getByRole("heading", { name: "No deliveries match" })).toBeVisible();
  const [newest, first] = await log();
  expect(newest).toMatchObject({
    type: "platform-console.subscription.test.v1",
    state: "DELIVERY_STATE_DELIVERED",
    attempts: [{ status: 204 }],
  });
  expect(first?.attempts.map(({ status }) => status)).toEqual(expect.arrayContaining([503, 204]));

  // What the receiver got passes the check, and with another body it does not.
  const { headers, body } = sink.requests.find(({ headers: { "ce-type": type } }) =>
    String(type).includes(".test."),
  )!;
  await page
    .getByRole("navigation", { name: "Event subscription pages" })
    .getByRole("link", { name: "Overview" })
    .click();
  await page.getByRole("button", { name: "Check a request" }).click();
  const check = page.getByRole("dialog", { name: "Check a request" });
  const pasted = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  await check.getByRole("textbox", { name: "Headers" }).fill(pasted.join("\n"));
  await check.getByRole("textbox", { name: "Body" }).fill(body);
  await expect(check.getByRole("heading", { name: "A receiver can accept this request" })).toBeVisible();
  await expect(check.getByText("A test event.")).toBeVisible();
  await hasNoFinding(page, "dialog");
  await check.getByRole("textbox", { name: "Body" }).fill(`${body} {}`);
  await expect(check.getByRole("heading", { name: "A receiver must refuse this request" })).toBeVisible();
  await expect(check.getByRole("row", { name: /^Body/ })).toContainText("Wrong");

  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open(`subscriptions/${param(subscription)}?tab=deliveries`);
  const send = viewer.page.getByRole("button", { name: "Send test event" });
  await send.focus();
  await expect(viewer.page.getByText(/subscriptions\.update/).first()).toBeVisible();
  await expect(viewer.page.getByRole("row", { name: /events\.subscription\.created\.v1/ })).toContainText(
    "Delivered",
  );
  sink.close();
});

test("a delivery that the filter no longer shows stays open, and its address shows it after a reload", async ({
  person: { page, api, organization, open },
}) => {
  const sink = await startSink();
  const subscription = await subscribe(api, organization, sink);
  await expect
    .poll(async () => (await deliveriesOf(api, subscription))[0]?.state)
    .toBe("DELIVERY_STATE_FAILED");
  await open(`subscriptions/${param(subscription)}?tab=deliveries&state=failed`);
  await page.getByRole("table", { name: "Deliveries" }).getByRole("link").click();
  const sheet = sheetOf(page);
  await expect(sheet.getByText("Failed, will retry")).toBeVisible();
  sink.status = 204;
  await sheet.getByRole("button", { name: /^Send (?:now|again)$/ }).click();
  await expect(sheet.getByText("Delivered", { exact: true })).toBeVisible({ timeout: 60_000 });
  // Two, if the service's own attempt came before the press.
  await expect(sheet.getByRole("row", { name: /HTTP 204/ }).first()).toBeVisible();
  await expect(page.getByText("No deliveries match")).toBeAttached();
  await page.reload();
  await expect(sheet.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(sheet.getByRole("row", { name: /HTTP 503/ }).first()).toBeVisible();

  await open(`subscriptions/${param(subscription)}?tab=deliveries&delivery=${crypto.randomUUID()}`);
  await expect(sheet).toContainText("This subscription has no such delivery.");
  sink.close();
});
