import { readFile } from "node:fs/promises";

import type { Group } from "platform-contract/iam/groups";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { identityOf } from "../bindings";
import type { Rule } from "../fault-proxy";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import {
  axe,
  button,
  confirmDeletion,
  createMachines,
  DELETES,
  deletes,
  panel,
  pick,
  table,
} from "../bulk-delete";
import { duplicate } from "../tabs";

test(
  "of thirty two fail because access was lost meanwhile, one has to wait, and only the two are retried",
  ownService,
  async ({ faulty, signUpBehind }) => {
    test.slow();
    const { api, organization, proxy } = faulty;
    const folder = (name: string) => api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name });
    const [west, east] = [await folder("west"), await folder("east")];
    await createMachines(api, west.uid, 28);
    const others = await createMachines(api, east.uid, 2, "z");
    const editor = await signUpBehind();
    const identityUid = await identityOf(api, editor);
    const bindingOf = async (role: string) => {
      const { roles } = await api.get<{ roles: { uid: string }[] }>(`/iam/v2/roles?name=${role}`);
      return { identityUid, roleUid: roles[0]?.uid };
    };
    const binding = await bindingOf("owner");
    await api.post(`/iam/v2/roleBindings/${organization.uid}`, await bindingOf("viewer"));
    await api.post(`/iam/v2/roleBindings/${west.uid}`, binding);
    const bound = await api.post<RoleBinding>(`/iam/v2/roleBindings/${east.uid}`, binding);

    const { page } = editor;
    await editor.open(`identities?group=${organization.uid}`);
    await pick(page, "Select m-000").click();
    await pick(page, "Select all loaded rows").click();
    await expect(page.getByText("30 selected", { exact: true }).first()).toBeVisible();
    await axe(page, "selected");
    await api.delete(`/iam/v2/roleBindings/${bound.uid}`);
    proxy.reset();
    proxy.rule(DELETES, fault.status(429, { retryAfter: 2 }), { times: 1 });
    await confirmDeletion(page, 30);
    await expect(panel(page).getByText(/^Service busy. Retrying in [12] s.$/)).toBeVisible();
    await expect(page.getByRole("region", { name: "Deleted 28 of 30 identities" })).toBeVisible();
    await expect(panel(page).getByText("28 of 30 deleted, 2 failed", { exact: true })).toBeVisible();
    // The rejected request was retried once; all others were sent once.
    expect(deletes(proxy)).toHaveLength(31);
    expect(new Set(deletes(proxy)).size).toBe(30);
    await button(panel(page), "Show items").click();
    await expect(panel(page).getByRole("list", { name: "Reasons" })).toContainText(
      /^2: .*CAP_IAM_IDENTITY_DELETE/,
    );
    await expect(table(page).getByRole("link")).toHaveText(["z-000", "z-001"]);
    await panel(page).getByRole("combobox", { name: "Show" }).selectOption("failed");
    const outcomes = panel(page).getByRole("table", { name: "Outcomes: identities" });
    await expect(outcomes.getByRole("row", { name: /Failed/ })).toHaveCount(2);
    await expect(outcomes.getByRole("row", { name: /Deleted/ })).toHaveCount(0);
    await axe(page, "bulk job");
    const saving = page.waitForEvent("download");
    await button(panel(page), "Export as CSV").click();
    const saved = await readFile(await (await saving).path(), "utf8");
    expect(saved.trim().split("\r\n")).toHaveLength(31);
    expect(saved.match(/^z-00[01],[^,]+,Failed,/gm)).toHaveLength(2);

    await api.post(`/iam/v2/roleBindings/${east.uid}`, binding);
    proxy.reset();
    await button(panel(page), "Retry 2 failed").click();
    await expect(panel(page).getByText("30 of 30 deleted", { exact: true })).toBeVisible();
    expect(deletes(proxy).toSorted()).toEqual(others.toSorted());
    await button(panel(page), "Close").click();
    await expect(panel(page)).toBeHidden();
    await page.reload();
    await expect(
      page.getByRole("heading", { name: /^No identities (?:here yet|in this folder or below)$/ }),
    ).toBeVisible();
    await expect(panel(page)).toBeHidden();
  },
);

/**
 * Starts deleting all of `count` machines. The service has deleted four and holds its responses until the rule ends.
 */
async function startHeld({ page, api, organization, open, proxy }: Faulty, count: number): Promise<Rule> {
  await createMachines(api, organization.uid, count);
  await open(`identities?group=${organization.uid}`);
  await pick(page, "Select all loaded rows").click();
  proxy.reset();
  const held = proxy.rule(DELETES, fault.none, { hold: "answer" });
  await confirmDeletion(page, count);
  await held.met(4);
  return held;
}

test("a reload in the middle sends nothing twice", ownService, async ({ faulty }) => {
  const { page, proxy } = faulty;
  const held = await startHeld(faulty, 12);
  await expect(panel(page)).toContainText("0 of 12 deleted");
  const asked = new Promise<string>((resolve) =>
    page.once("dialog", (dialog) => void dialog.accept().then(() => resolve(dialog.type()))),
  );
  await page.reload();
  expect(await asked).toBe("beforeunload");
  await expect(page.getByRole("region", { name: "Deleting 12 identities (paused)" })).toBeVisible();
  await expect(panel(page).getByText("4 of 12 deleted", { exact: true })).toBeVisible();
  await expect(table(page).getByRole("link")).toHaveCount(8);
  expect(deletes(proxy)).toHaveLength(4);
  held.remove();
  await button(panel(page), "Resume").click();
  await expect(panel(page).getByText("12 of 12 deleted", { exact: true })).toBeVisible();
  expect(deletes(proxy)).toHaveLength(12);
  expect(new Set(deletes(proxy)).size).toBe(12);
  await expect(
    page.getByRole("heading", { name: /^No identities (?:here yet|in this folder or below)$/ }),
  ).toBeVisible();
});

test("a duplicated tab does not run what another tab runs", ownService, async ({ faulty }) => {
  const { page, proxy } = faulty;
  const held = await startHeld(faulty, 12);
  await button(panel(page), "Pause").click();
  const copy = await duplicate(page);
  const elsewhere = copy.getByRole("region", { name: "Deleting 12 identities in another tab" });
  await expect(elsewhere).toContainText("Another tab is running this.");
  await expect(elsewhere.getByRole("button")).toHaveText(["Close"]);
  await axe(copy, "in another tab");
  held.remove();
  await expect(panel(page)).toContainText("4 of 12 deleted");
  // Its copy of the job is now stale: a reload does not restore it, even when the other tab is gone.
  await page.close({ runBeforeUnload: false });
  await copy.reload();
  await expect(table(copy).getByRole("link")).toHaveCount(8);
  await expect(panel(copy)).toBeHidden();
  expect(deletes(proxy)).toHaveLength(4);
});

test("what is canceled before it was sent is never sent", ownService, async ({ faulty }) => {
  const { page, proxy } = faulty;
  const held = await startHeld(faulty, 9);
  await button(panel(page), "Pause").click();
  await expect(button(panel(page), "Resume")).toBeFocused();
  await button(panel(page), "Cancel").click();
  held.remove();
  await expect(panel(page).getByText("4 of 9 deleted, 5 canceled", { exact: true })).toBeVisible();
  expect(deletes(proxy)).toHaveLength(4);
  await expect(table(page).getByRole("link")).toHaveCount(5);
  // The focused button is gone, so the heading has the focus.
  await expect(panel(page).getByRole("heading")).toBeFocused();
  await expect(panel(page).getByRole("button", { name: /^Retry/ })).toBeHidden();
});
