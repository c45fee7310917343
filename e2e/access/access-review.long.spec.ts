import { bind } from "../bindings";
import { expect, fault, ownService, test } from "../faulty";
import type { Faulty } from "../faulty";
import { unique } from "../fixtures";
import { folder, param } from "../records";
import { boundMachines, card, rolesIn, startReview, step } from "../reviews";

const APPLY = /\/access\/v1\/reviews\/.+:apply$/;
const DECIDE = /\/access\/v1\/reviewItems\/.+:decide$/;
const DONE = "Everything that was decided has been applied, or was refused.";

/** Six machines: two to keep, two to reduce, two to revoke; all decided, at the result. */
async function decided({ page, api, organization, open }: Faulty) {
  const team = await folder(api, organization, "team");
  await boundMachines(api, team, { count: 6, role: "editor" });
  await open(`access-review?group=${param(team)}`);
  await startReview(page);
  for (const [index, keys] of ["k", "k", "rr", "rr", "x", "x"].entries()) {
    /* oxlint-disable no-await-in-loop -- one key after the other */
    await expect(card(page).getByRole("heading", { name: `m-00${index}` })).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    /* oxlint-enable no-await-in-loop */
  }
  await expect(page.getByText("6 role bindings: all decided. Open")).toBeVisible();
  await step(page, "Result").click();
  return team;
}

/** Opens the confirmation and confirms. */
async function apply({ page }: Pick<Faulty, "page">) {
  await page.getByRole("button", { name: "Apply 4 changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Apply 4 changes?" });
  await dialog.getByRole("button", { name: "Apply 4 changes" }).click();
  return dialog;
}

const WANTED = { "m-000": "editor", "m-001": "editor", "m-002": "viewer", "m-003": "viewer" };

const LOST = { "the answer is lost": fault.cutAfter, "the request is lost": fault.cutBefore };
for (const [what, effect] of Object.entries(LOST))
  test(
    `what was applied is told, and the rest goes on, when ${what} @long`,
    ownService,
    async ({ faulty }) => {
      const { page, api, proxy } = faulty;
      const team = await decided(faulty);
      const lost = proxy.rule({ method: "POST", path: APPLY }, effect, { times: 1 });
      await apply(faulty);
      await lost.met();
      const again = page.getByRole("dialog").getByRole("button", { name: /^Apply \d changes?$/ });
      await expect(async () => {
        if (await again.isVisible()) await again.click({ timeout: 1_000 });
        await expect(page.getByText(DONE)).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 60_000 });
      expect(await rolesIn(api, team)).toEqual(WANTED);
    },
  );

test(
  "a decision whose answer is lost is shown as the service has it @long",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open, proxy } = faulty;
    const team = await folder(api, organization, "team");
    await boundMachines(api, team, { count: 2, role: "editor" });
    await open(`access-review?group=${param(team)}`);
    await startReview(page);
    proxy.rule({ method: "POST", path: DECIDE }, fault.cutAfter, { times: 1 });
    await page.keyboard.press("x");
    await expect(page.getByRole("alert")).toContainText("The decision about m-000 wasn't confirmed");
    // It arrived: what is shown is what the service has.
    await expect(page.getByText("2 role bindings: 1 decision left. Open")).toBeVisible();
  },
);

test(
  "a busy service is waited for, or says so, and a reload in the middle loses nothing @long",
  ownService,
  async ({ faulty }) => {
    const { page, api, proxy } = faulty;
    const team = await decided(faulty);
    const busy = proxy.rule({ method: "POST", path: APPLY }, fault.status(429, { retryAfter: 1 }), {
      times: 1,
    });
    const dialog = await apply(faulty);
    await busy.met();
    await expect(async () => {
      const told = dialog.getByRole("alert");
      if (await told.isVisible()) {
        await page.reload();
        await apply(faulty);
      }
      await expect(page.getByText(DONE)).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    expect(await rolesIn(api, team)).toEqual(WANTED);
  },
);

test(
  "who may only look sees the review, and why they can't decide or apply @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { page, api, organization, open } = faulty;
    const team = await folder(api, organization, "team");
    await boundMachines(api, team, { count: 2, role: "editor" });
    const viewer = await signUpBehind();
    // Looks at the folder, and owns another one.
    await bind(api, team, viewer, "viewer");
    await bind(api, await folder(api, organization, unique("own")), viewer, "owner");
    await open(`access-review?group=${param(team)}`);
    await startReview(page);
    await page.keyboard.press("x");
    await expect(page.getByText("3 role bindings: 2 decisions left. Open")).toBeVisible();
    await viewer.page.goto(page.url());
    await expect(card(viewer.page).getByText("You cannot remove role bindings here.")).toBeVisible();
    await viewer.page.keyboard.press("x");
    await expect(viewer.page.getByText("3 role bindings: 2 decisions left. Open")).toBeVisible();
    await step(viewer.page, "Result").click();
    await expect(viewer.page.getByRole("button", { name: /^Apply \d/ })).toBeDisabled();
    expect(Object.keys(await rolesIn(api, team))).toContain("m-000");
  },
);
