import { bind } from "../bindings";
import { expect, fault, ownService, test } from "../faulty";
import { unique } from "../fixtures";
import { folder } from "../records";
import { boundMachines, card, rolesIn, startReview, step } from "../reviews";
import type { Faulty } from "../faulty";

const BINDING = /\/iam\/v2\/roleBindings\/.+/;

/** Six machines: two to keep, two to reduce, two to revoke; all decided, at the result. */
async function decided({ page, api, organization, open }: Faulty) {
  const team = await folder(api, organization, "team");
  await boundMachines(api, team, { count: 6, role: "editor" });
  await open(`access-review?group=${team.uid}`);
  await startReview(page);
  for (const [index, keys] of ["k", "k", "rr", "rr", "x", "x"].entries()) {
    /* oxlint-disable no-await-in-loop -- one key after the other */
    await expect(card(page).getByRole("heading", { name: `m-00${index}` })).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    /* oxlint-enable no-await-in-loop */
  }
  await step(page, "Result").click();
  return team;
}

const WANTED = { "m-000": "editor", "m-001": "editor", "m-002": "viewer", "m-003": "viewer" };

const LOST = { "the answer is lost": fault.cutAfter, "the request is lost": fault.cutBefore };
for (const [what, effect] of Object.entries(LOST))
  test(`a reduced role is the old one or the new one when ${what} @long`, ownService, async ({ faulty }) => {
    const { page, api, proxy } = faulty;
    const team = await decided(faulty);
    const update = proxy.rule({ method: "PATCH", path: BINDING }, effect, { times: 1 });
    const removal = proxy.rule({ method: "DELETE", path: BINDING }, effect, { times: 1 });
    await page.getByRole("button", { name: "Apply 4 changes" }).click();
    await update.met();
    // Neither both nor neither, at any time.
    expect(["editor", "viewer"]).toContain((await rolesIn(api, team))["m-002"]);
    const panel = page.getByRole("region", { name: /access decisions/ });
    const retry = panel.getByRole("button", { name: /^Retry \d failed$/ });
    const done = page.getByRole("region", { name: "Applied 4 access decisions" });
    const resume = panel.getByRole("button", { name: "Resume" });
    await expect(async () => {
      if (await resume.isVisible()) await resume.click();
      if (await retry.isVisible()) await retry.click();
      await expect(done).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 60_000 });
    expect(removal.seen).toHaveLength(1);
    expect(await rolesIn(api, team)).toEqual(WANTED);
  });

test("a busy service is waited for @long", ownService, async ({ faulty }) => {
  const { page, api, proxy } = faulty;
  const team = await decided(faulty);
  proxy.rule({ method: "PATCH", path: BINDING }, fault.status(429, { retryAfter: 1 }), { times: 2 });
  await page.getByRole("button", { name: "Apply 4 changes" }).click();
  await expect(page.getByRole("region", { name: "Applied 4 access decisions" })).toBeVisible({
    timeout: 30_000,
  });
  expect(await rolesIn(api, team)).toEqual(WANTED);
});

test("a reload in the middle sends nothing twice @long", ownService, async ({ faulty }) => {
  const { page, api, proxy } = faulty;
  const team = await decided(faulty);
  const held = proxy.rule({ method: "PATCH", path: BINDING }, fault.none, { hold: "answer" });
  await page.getByRole("button", { name: "Apply 4 changes" }).click();
  await held.met();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  held.remove();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("region", { name: "Applied 4 access decisions" })).toBeVisible({
    timeout: 30_000,
  });
  expect(await rolesIn(api, team)).toEqual(WANTED);
  const patches = proxy.seen.filter(({ method }) => method === "PATCH").map(({ path }) => path);
  expect(new Set(patches).size).toBe(patches.length);
  await expect(page.getByText("Everything that was decided has been applied.")).toBeVisible();
});

test(
  "a binding that changed after the result was shown is left alone @long",
  ownService,
  async ({ faulty }) => {
    const { page, api } = faulty;
    const team = await decided(faulty);
    const { roleBindings } = await api.get<{ roleBindings: { uid: string; identity: { name: string } }[] }>(
      `/iam/v2/roleBindings?uidp.descendants_of=${team.uid}`,
    );
    const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=owner");
    const raised = roleBindings.filter(({ identity }) => ["m-002", "m-004"].includes(identity.name));
    for (const { uid } of raised)
      // oxlint-disable-next-line no-await-in-loop -- two
      await api.patch(`/iam/v2/roleBindings/${uid}?updateMask=roleUid`, { roleUid: roles[0]?.uid });
    await page.getByRole("button", { name: "Apply 4 changes" }).click();
    await expect(page.getByRole("region", { name: "Applied 2 of 4 access decisions" })).toBeVisible({
      timeout: 30_000,
    });
    await page.getByRole("button", { name: "Show items" }).click();
    await expect(
      page.getByText("2: Its role changed after the review, so nothing was changed."),
    ).toBeVisible();
    expect(await rolesIn(api, team)).toEqual({
      "m-000": "editor",
      "m-001": "editor",
      "m-002": "owner",
      "m-003": "viewer",
      "m-004": "owner",
    });
  },
);

test(
  "who may only look sees the review, and what they can't apply @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const team = await folder(api, organization, "team");
    await boundMachines(api, team, { count: 2, role: "editor" });
    const viewer = await signUpBehind();
    // Looks at the folder, and owns another one.
    await bind(api, team, viewer, "viewer");
    await bind(api, await folder(api, organization, unique("own")), viewer, "owner");
    await viewer.open(`access-review?group=${team.uid}`);
    await startReview(viewer.page);
    await viewer.page.keyboard.press("x");
    await viewer.page.keyboard.press("x");
    await step(viewer.page, "Result").click();
    await expect(viewer.page.getByText("2 changes can't be applied by you")).toBeVisible();
    await expect(viewer.page.getByText(/You need permission to delete role bindings/).first()).toBeVisible();
    await expect(viewer.page.getByRole("button", { name: /^Apply \d/ })).toBeHidden();
    expect(Object.keys(await rolesIn(api, team))).toContain("m-000");
  },
);

test("one's own access goes last, and the last owner stays @long", ownService, async ({ faulty }) => {
  const { page, api, organization, open } = faulty;
  const [machine = ""] = await boundMachines(api, organization, { count: 1, role: "owner" });
  await open(`access-review?group=${organization.uid}`);
  await startReview(page);
  await page.keyboard.press("x");
  await expect(card(page).getByText("This is your own access")).toBeVisible();
  await page.keyboard.press("x");
  await step(page, "Result").click();
  await expect(page.getByRole("alert").getByText("The organization would have no owner")).toBeVisible();
  const apply = page.getByRole("button", { name: "Apply 1 change" });
  await expect(apply).toHaveAttribute("aria-disabled", "true");
  await expect(apply).toHaveAccessibleDescription("Keep at least one owner of the organization");

  // The machine stays owner: then one's own may go.
  await step(page, "One by one").click();
  await expect(card(page)).toBeFocused();
  await page.keyboard.press("k");
  await step(page, "Result").click();
  await page.getByLabel("I understand that I lose this access").check();
  await page.getByRole("button", { name: "Apply to your own access" }).click();
  await expect(page.getByRole("region", { name: "Applied 1 access decision" })).toBeVisible();
  expect((await api.refusal("GET", `/iam/v2/roleBindings/${machine}`)).http).toBe(403);
});
