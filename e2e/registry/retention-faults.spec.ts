import type { RetentionRun } from "platform-contract/registry/retention";

import { expect, fault, ownService, test } from "../faulty";
import { param } from "../records";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf } from "../tags";

const CONFIRM = { method: "POST", path: /\/rules\/[^/:]+(?:\/[^/:]+)*:confirm$/ };

test(
  "a rule that is confirmed while answers are lost, or the service is busy, runs once for each confirmation",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open, proxy } = faulty;
    const repo = await makeRepo(faulty, { name: "web" });
    const names = ["1.0.0", "1.0.1", "1.0.2", "1.0.3", "2.0.0", "2.0.1", "2.0.2"];
    await createTags(
      api,
      repo.uid,
      names.map((name, index) => ({ name, digest: digestOf(index) })),
    );
    const rule = `/registry-retention/v1/rules/${repo.uid}`;
    const left = async () => (await allTags(api, repo.uid)).map(({ name }) => name).toSorted();
    const runs = async () =>
      (
        await api.get<{ retentionRuns?: RetentionRun[] }>(
          `/registry-retention/v1/runs?uidp.descendants_of=${organization.uid}`,
        )
      ).retentionRuns ?? [];
    const ask = async (keepNewest: number) => {
      await api.post(rule, { keepNewest });
      await open(`retention?repo=${param(repo)}`);
      const preview = page.getByRole("region", { name: "Preview" });
      await preview.getByRole("button", { name: "Preview" }).click();
      await preview.getByRole("button", { name: "Confirm this preview…" }).click();
      return page.getByRole("dialog", { name: "Run this rule?" });
    };
    const state = page.getByRole("main").getByRole("definition").filter({ hasText: "Runs daily" });

    // Written, but the page does not hear of it.
    const lost = proxy.rule(CONFIRM, fault.cutAfter, { times: 1 });
    let dialog = await ask(3);
    await dialog.getByRole("button", { name: "Confirm and run" }).click();
    await lost.met();
    await expect(dialog).toBeHidden({ timeout: 30_000 });
    await expect(state).toBeVisible();
    await expect.poll(left).toEqual(names.filter((name) => name !== "1.0.0").toSorted());
    await expect.poll(async () => (await runs()).map(({ endTime }) => endTime !== undefined)).toEqual([true]);

    proxy.rule(CONFIRM, fault.status(429, { retryAfter: 1 }), { times: 1 });
    dialog = await ask(2);
    await dialog.getByRole("button", { name: "Confirm and run" }).click();
    await expect(dialog.getByText(/Rate limited/).first()).toBeVisible();
    expect(await left()).toHaveLength(6);
    await expect(async () => {
      await dialog.getByRole("button", { name: "Confirm and run" }).click({ timeout: 1_000 });
      await expect(dialog).toBeHidden({ timeout: 3_000 });
    }).toPass({ timeout: 30_000 });
    await expect.poll(left).toEqual(["1.0.2", "1.0.3", "2.0.1", "2.0.2"]);
    await expect.poll(async () => (await runs()).length).toBe(2);
  },
);
