import type { Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { param } from "../records";

const PAIRS = 100;
/** Milliseconds between the two presses of a pair. */
const GAP = { least: 20, most: 200 };

/** Runs in the page: true once it has nothing to do, and has painted. */
const idle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestIdleCallback(() => requestAnimationFrame(() => requestIdleCallback(() => resolve(true)))),
      ),
  );

test("two presses of a filter leave it as it was, however close they are and however slow the CPU is", async ({
  person,
}) => {
  test.setTimeout(20 * 60_000);
  const { page, api, organization, open } = person;
  const role = async (name: string, ...capabilities: string[]) => {
    const { uid } = await api.post<{ uid: string }>(`/iam/v2/roles/${organization.uid}`, {
      name,
      capabilities,
    });
    return param(uid);
  };
  const compared = [
    await role("a", "CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"),
    await role("b", "CAP_REPO_LIST"),
  ];
  await open(`roles/compare?group=${organization.uid}&roles=${compared.join(",")}`);
  const toggle = page.getByRole("checkbox", { name: "Only differences" });
  await expect(page.getByRole("table")).toBeVisible();
  const box = await toggle.boundingBox();
  const at = { x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 };
  const cdp = await page.context().newCDPSession(page);
  const mouse = (type: "mousePressed" | "mouseReleased") =>
    cdp.send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
  const press = () => Promise.all([mouse("mousePressed"), mouse("mouseReleased")]);
  const state = async () => {
    await idle(page);
    // The address follows.
    await expect.poll(async () => (await toggle.isChecked()) === kept()).toBe(true);
    return kept();
  };
  const kept = () => new URL(page.url()).searchParams.get("differences") === "only";

  const wrong: string[] = [];
  let last = await state();
  let pairs = "the first";
  const check = async () => {
    const now = await state();
    if (now !== last) wrong.push(pairs);
    last = now;
  };
  for (const rate of [1, 4, 6]) {
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const gap = GAP.least + Math.round(((GAP.most - GAP.least) * pair) / (PAIRS - 1));
      // Again before each pair: the last one's address may have followed later.
      await check();
      pairs = `CPU / ${rate}, ${gap} ms`;
      // Not awaited in between: a busy page answers late, and a hand does not wait for it.
      const first = press();
      await new Promise((resolve) => setTimeout(resolve, gap));
      await Promise.all([first, press()]);
      await check();
    }
  }
  await check();
  expect(wrong).toEqual([]);
});
