import type { Page } from "@playwright/test";

import { bind } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { exhaust } from "../rate-limit";
import { param } from "../records";
import { deliveriesOf, startSink, subscribe, type Sink } from "../sink";

const TEST_EVENT = "platform-console.subscription.test.v1";
const SEND_TEST = { method: "POST", path: /:sendTest$/ };
const RESEND = { method: "POST", path: /:resend$/ };

let sink: Sink;
test.beforeEach(async () => {
  sink = await startSink();
  sink.status = 204;
});
test.afterEach(() => sink.close());

/** How often an event of a type arrived. */
const arrived = (type: string): number =>
  sink.requests.filter(({ headers }) => headers["ce-type"] === type).length;
const CREATED = "dev.chainguard.api.events.subscription.created.v1";

/** A subscription whose first event has arrived, with its tab of deliveries. */
async function prepared({ api, organization, open }: Faulty) {
  const subscription = await subscribe(api, organization, sink);
  await expect
    .poll(async () => (await deliveriesOf(api, subscription))[0]?.state)
    .toBe("DELIVERY_STATE_DELIVERED");
  await open(`subscriptions/${param(subscription)}?tab=deliveries`);
  return subscription;
}

const rowOf = (page: Page, name: RegExp) =>
  page.getByRole("table", { name: "Deliveries" }).getByRole("row", { name });
const sheetOf = (page: Page) => page.getByRole("dialog", { name: "Delivery" });

for (const [what, effect] of Object.entries({
  "the answer is lost": fault.cutAfter,
  "the request is lost": fault.cutBefore,
}))
  test(`a test event is sent once although ${what} @long`, ownService, async ({ faulty }) => {
    const { page, api, proxy } = faulty;
    const subscription = await prepared(faulty);
    const lost = proxy.rule(SEND_TEST, effect, { times: 1 });
    await page.getByRole("button", { name: "Send test event" }).click();
    await lost.met();
    await expect(rowOf(page, /subscription\.test/)).toContainText("Delivered");
    expect((await deliveriesOf(api, subscription)).map(({ type }) => type)).toEqual([TEST_EVENT, CREATED]);
    expect(arrived(TEST_EVENT)).toBe(1);
  });

test(
  "a delivery whose answers were all lost says so, and another press sends nothing twice @long",
  ownService,
  async ({ faulty }) => {
    const { page, api, proxy } = faulty;
    const subscription = await prepared(faulty);
    await rowOf(page, /created/)
      .getByRole("link")
      .click();
    const lost = proxy.rule(RESEND, fault.cutAfter);
    await sheetOf(page).getByRole("button", { name: "Send again" }).click();
    await expect(sheetOf(page).getByText("We couldn't confirm whether the event was sent")).toBeVisible({
      timeout: 60_000,
    });
    await expect.poll(() => arrived(CREATED)).toBe(2);
    lost.remove();
    await sheetOf(page)
      .getByRole("button", { name: /^Send (?:now|again)$/ })
      .click();
    await expect(page.getByText("The event is being sent again").first()).toBeVisible();
    await expect(sheetOf(page).getByText("Delivered", { exact: true })).toBeVisible();
    const [delivery] = await deliveriesOf(api, subscription);
    expect(delivery).toMatchObject({ state: "DELIVERY_STATE_DELIVERED", attemptCount: 2 });
    expect(arrived(CREATED)).toBe(2);
  },
);

test(
  "after a reload in the middle, the sheet shows what became of the event @long",
  ownService,
  async ({ faulty }) => {
    const { page, api, proxy } = faulty;
    const subscription = await prepared(faulty);
    await rowOf(page, /created/)
      .getByRole("link")
      .click();
    const held = proxy.rule(RESEND, fault.none, { hold: "answer" });
    await sheetOf(page).getByRole("button", { name: "Send again" }).click();
    await held.met();
    await page.reload();
    held.remove();
    await expect(sheetOf(page).getByText("Delivered", { exact: true })).toBeVisible();
    await expect(sheetOf(page).getByRole("row", { name: /HTTP 204/ })).toHaveCount(2);
    expect((await deliveriesOf(api, subscription))[0]?.attemptCount).toBe(2);
    expect(arrived(CREATED)).toBe(2);
  },
);

test(
  "who may only view deliveries is told what sending needs, and sends nothing @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const subscription = await prepared(faulty);
    const [{ uid } = { uid: "" }] = await deliveriesOf(api, subscription);
    const reader = await signUpBehind();
    await bind(api, organization, reader, ["CAP_EVENTS_SUBSCRIPTION_LIST", "CAP_IAM_GROUPS_LIST"]);
    await reader.open(`subscriptions/${param(subscription)}?tab=deliveries&delivery=${uid}`);
    const sheet = sheetOf(reader.page);
    await expect(sheet.getByRole("row", { name: /HTTP 204/ })).toBeVisible();
    const send = sheet.getByRole("button", { name: "Send again" });
    await expect(send).toHaveAttribute("aria-disabled", "true");
    await expect(send).toHaveAccessibleDescription(/subscriptions\.update/);
    await send.click({ force: true });
    const refused = await reader.api.refusal(
      "POST",
      `/events-log/v1/subscriptions/${subscription.uid}:resend`,
      {
        delivery: uid,
      },
    );
    expect(refused.http).toBe(403);
    expect((await deliveriesOf(api, subscription))[0]?.attemptCount).toBe(1);
    expect(arrived(CREATED)).toBe(1);
  },
);

test.describe("with a limit of requests", () => {
  test.use({ serviceVariables: { RATE_LIMIT: "3" } });

  test("a refused press says why, and the next one sends one event @long", ownService, async ({ faulty }) => {
    const { page, api } = faulty;
    const subscription = await prepared(faulty);
    await expect(rowOf(page, /created/)).toBeVisible();
    const answers: number[] = [];
    page.on("response", (response) => {
      if (SEND_TEST.path.test(new URL(response.url()).pathname)) answers.push(response.status());
    });
    const sent = () => answers.filter((status) => status === 200).length;
    const button = page.getByRole("button", { name: "Send test event" });
    const press = async () => {
      const before = answers.length;
      await button.click();
      await expect.poll(() => answers.length).toBeGreaterThan(before);
    };
    const { stop } = await exhaust(api);
    // On a busy machine, one of the requests that the service still takes each second can be a press.
    await expect(async () => {
      await press();
      expect(answers.at(-1)).toBe(429);
    }).toPass({ timeout: 45_000 });
    await expect(page.getByRole("alert").getByText("The test event wasn't sent")).toBeVisible();
    await stop();
    const before = sent();
    await expect(async () => {
      await press();
      expect(sent()).toBe(before + 1);
    }).toPass({ timeout: 45_000 });
    await expect(page.getByText("The test event is on its way").first()).toBeVisible();
    await expect
      .poll(async () => (await deliveriesOf(api, subscription).catch(() => [])).map(({ type }) => type), {
        timeout: 30_000,
      })
      .toEqual([...Array.from({ length: sent() }, () => TEST_EVENT), CREATED]);
    await expect(rowOf(page, /subscription\.test/).first()).toContainText("Delivered", { timeout: 30_000 });
    expect(arrived(TEST_EVENT)).toBe(sent());
  });
});
